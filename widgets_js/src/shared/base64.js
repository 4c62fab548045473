// Numbers that came as text: base64 of bytes, or of little-endian float32.

/** @param {string} text */
export const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** @param {string} text */
export const floats = (text) => new Float32Array(bytes(text).buffer);

/** Numbers from 0 to 1, a byte for each. @param {string} text */
export const shares = (text) => Array.from(bytes(text), (byte) => byte / 255);
