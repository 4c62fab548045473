// AssemblyScript: linear maps whose weights stay rounded as the GGUF file has them, with SIMD.
//
// A block is 32 numbers of a row. Q4_1 keeps it as w = d * q + m with q from 0 to 15, Q8_0 as
// w = d * q with q from -128 to 127; d and m have 16 bits. The inputs are rounded to 16 bits a
// number, each block with a scale of its own, so that the products of a block are exact integers.

const BLOCK: usize = 32;
const LARGEST: f32 = 32767;

/** The number that 16 bits mean (IEEE 754), of those that are finite. */
// @ts-ignore
@inline
function half(at: usize): f32 {
  const bits: u32 = load<u16>(at);
  return reinterpret<f32>(((bits & 0x7fff) << 13) | ((bits & 0x8000) << 16)) * <f32>5.192296858534828e33; // 2^112
}

/** Round inputs x, and leave in x what was cut off: of each block 32 integers, their scale, and the sum of what they mean. */
export function round(x: usize, positions: i32, blocks: i32, integers: usize, scales: usize, sums: usize): void {
  const next = 4 * <usize>positions;
  for (let position = 0; position < positions; position++) {
    let at = 4 * <usize>position;
    for (let block = 0; block < blocks; block++) {
      let largest: f32 = 0, sum = 0;
      for (let i: usize = 0; i < BLOCK; i++) largest = max(largest, abs(load<f32>(x + 4 * i)));
      const scale = largest / LARGEST, factor: f32 = largest > 0 ? LARGEST / largest : 0;
      for (let i: usize = 0; i < BLOCK; i++) {
        const number = load<f32>(x + 4 * i), integer = nearest(number * factor);
        store<i16>(integers + 2 * i, <i16>integer);
        store<f32>(x + 4 * i, number - integer * scale);
        sum += <i32>integer;
      }
      store<f32>(scales + at, scale);
      store<f32>(sums + at, <f32>sum * scale);
      x += 4 * BLOCK; integers += 2 * BLOCK; at += next;
    }
  }
}

/** The integers of a row of weights as 16 bits each, and of each block d and m. */
// @ts-ignore
@inline
function unpack(weights: usize, bits: i32, blocks: i32, row: usize, factors: usize): void {
  for (let block = 0; block < blocks; block++) {
    if (bits == 4) {
      store<f32>(factors, half(weights));
      store<f32>(factors + 4, half(weights + 2));
      const pairs = v128.load(weights + 4);
      const first = v128.and(pairs, i8x16.splat(15)), second = i8x16.shr_u(pairs, 4);
      v128.store(row, i16x8.extend_low_i8x16_u(first));
      v128.store(row + 16, i16x8.extend_high_i8x16_u(first));
      v128.store(row + 32, i16x8.extend_low_i8x16_u(second));
      v128.store(row + 48, i16x8.extend_high_i8x16_u(second));
      weights += 20;
    } else {
      store<f32>(factors, half(weights));
      store<f32>(factors + 4, 0);
      for (let i: usize = 0; i < 4; i++) v128.store(row + 16 * i, v128.load8x8_s(weights + 2 + 8 * i));
      weights += 34;
    }
    row += 2 * BLOCK; factors += 8;
  }
}

/** Four partial sums of the products of a block of inputs with a block of a row. */
// @ts-ignore
@inline
function products(x: usize, a: v128, b: v128, c: v128, d: v128): v128 {
  return i32x4.add(
    i32x4.add(i32x4.dot_i16x8_s(v128.load(x), a), i32x4.dot_i16x8_s(v128.load(x, 16), b)),
    i32x4.add(i32x4.dot_i16x8_s(v128.load(x, 32), c), i32x4.dot_i16x8_s(v128.load(x, 48), d)));
}

/** The sums of neighbours: two of a, then two of b. */
// @ts-ignore
@inline
function pairs(a: v128, b: v128): v128 {
  return i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
}

/** y (positions, rows) = x (positions, blocks * 32), as `round` left it, times the weights' transpose. */
export function linear(
  weights: usize, bits: i32, rows: i32, blocks: i32,
  integers: usize, scales: usize, sums: usize, positions: i32, y: usize,
  row: usize, factors: usize, // room for one row
): void {
  const bytes: usize = <usize>blocks * (bits == 4 ? 20 : 34), xs: usize = <usize>blocks * 2 * BLOCK, next: usize = <usize>rows * 4, step = 4 * <usize>positions;
  for (let r = 0; r < rows; r++) {
    unpack(weights, bits, blocks, row, factors);
    weights += bytes;
    let to = y + 4 * <usize>r, position = 0;
    // Four positions at a time, so that a block of the row is read once for them.
    for (; position + 4 <= positions; position += 4) {
      let total = f32x4.splat(0), w = row, factor = factors, x = integers + xs * position, at = 4 * <usize>position;
      for (let block = 0; block < blocks; block++) {
        const a = v128.load(w), b = v128.load(w, 16), c = v128.load(w, 32), d = v128.load(w, 48);
        const first = pairs(products(x, a, b, c, d), products(x + xs, a, b, c, d));
        const second = pairs(products(x + 2 * xs, a, b, c, d), products(x + 3 * xs, a, b, c, d));
        const four = i32x4.add(i64x2.shuffle(first, second, 0, 2), i64x2.shuffle(first, second, 1, 3));
        const scaled = f32x4.mul(f32x4.convert_i32x4_s(four), v128.load(scales + at));
        total = f32x4.add(total, f32x4.add(f32x4.mul(scaled, v128.load32_splat(factor)), f32x4.mul(v128.load(sums + at), v128.load32_splat(factor, 4))));
        x += 2 * BLOCK; w += 2 * BLOCK; factor += 8; at += step;
      }
      store<f32>(to, f32x4.extract_lane(total, 0));
      store<f32>(to + next, f32x4.extract_lane(total, 1));
      store<f32>(to + 2 * next, f32x4.extract_lane(total, 2));
      store<f32>(to + 3 * next, f32x4.extract_lane(total, 3));
      to += 4 * next;
    }
    for (; position < positions; position++) {
      let total: f32 = 0, w = row, factor = factors, x = integers + xs * position, at = 4 * <usize>position;
      for (let block = 0; block < blocks; block++) {
        const four = products(x, v128.load(w), v128.load(w, 16), v128.load(w, 32), v128.load(w, 48));
        const sum = i32x4.extract_lane(four, 0) + i32x4.extract_lane(four, 1) + (i32x4.extract_lane(four, 2) + i32x4.extract_lane(four, 3));
        total += <f32>sum * load<f32>(scales + at) * load<f32>(factor) + load<f32>(sums + at) * load<f32>(factor, 4);
        x += 2 * BLOCK; w += 2 * BLOCK; factor += 8; at += step;
      }
      store<f32>(to, total);
      to += next;
    }
  }
}
