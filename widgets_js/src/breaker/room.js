// The memory of a model in a browser: its file, and room to compute.

const WORK_BYTES = 5_000_000; // beside the file
const PAGE = 2 ** 16;

/** The memory of a model: first its file, which the caller writes there, then room to compute. */
export class Room {
  /** @param {number} fileBytes */
  constructor(fileBytes) {
    const bytes = fileBytes + WORK_BYTES;
    try {
      this.memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    } catch {
      throw new Error(`this device has no ${Math.ceil(bytes / 1e6)} MB of memory to spare for the model; closing other pages may help`);
    }
    this.file = new Uint8Array(this.memory.buffer, 0, fileBytes);
    this.fileBytes = fileBytes;
    this.taken = Math.ceil(fileBytes / 16) * 16;
  }

  /**
   * Room for numbers of 4 bytes each; returns the first byte.
   * @param {number} numbers
   */
  take(numbers) {
    const start = this.taken;
    this.taken += Math.ceil(numbers / 4) * 16;
    if (this.taken > this.memory.buffer.byteLength) throw new Error("the model needs more room to compute than WORK_BYTES");
    return start;
  }
}
