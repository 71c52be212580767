// Reads the block of numbers in the page: the other side of tools/report/payload.hpp.

const types = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Bytes of equal weight are stored together; put each value's bytes side by side again.
function gather(source, count, size) {
  const bytes = new Uint8Array(count * size);
  for (let byte = 0; byte < size; ++byte) {
    const begin = byte * count;
    for (let i = 0, at = byte; i < count; ++i, at += size) bytes[at] = source[begin + i];
  }
  return bytes;
}

function undoBits(bytes, step) {
  for (let i = step; i < bytes.length; ++i) bytes[i] ^= bytes[i - step];
}

function undoDifferences(values, row, curved) {
  const mask = values.BYTES_PER_ELEMENT === 4 ? -1 : 2 ** (8 * values.BYTES_PER_ELEMENT) - 1;
  for (let i = 0; i < values.length; ++i) {
    const small = values[i] & mask;
    const last = i >= row ? values[i - row] : 0;
    const before = i >= 2 * row ? values[i - 2 * row] : last;
    values[i] = ((small >>> 1) ^ -(small & 1)) + last + (curved ? last - before : 0);
  }
}

function decodeArray({ type, begin, count, row, filter }, body) {
  const Type = types[type];
  const size = Type.BYTES_PER_ELEMENT;
  const bytes = gather(body.subarray(begin, begin + count * size), count, size);
  if (filter === 'bits') undoBits(bytes, row * size);
  const values = new Type(bytes.buffer);
  if (filter === 'delta' || filter === 'curvature') undoDifferences(values, row, filter === 'curvature');
  return values;
}

// The header (an object) and the arrays by name.
export async function decode(text) {
  const block = await inflate(bytesOfBase64(text.trim()));
  const length = new DataView(block.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(block.subarray(4, 4 + length)));
  const body = block.subarray(4 + length);
  const arrays = {};
  for (const [name, entry] of Object.entries(header.arrays)) arrays[name] = decodeArray(entry, body);
  return { header, arrays };
}
