// Numbers that came as text: base64 of bytes, or of little-endian float32.

/** @param {string} text */
export function bytes(text) {
  const letters = atob(text), numbers = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) numbers[i] = letters.charCodeAt(i);
  return numbers;
}

/** @param {string} text */
export const floats = (text) => new Float32Array(bytes(text).buffer);

/** Numbers from 0 to 1, a byte for each. @param {string} text */
export const shares = (text) => Array.from(bytes(text), (byte) => byte / 255);
