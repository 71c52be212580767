// Numbers as people read them.

const prefixes = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];

function trimmed(value, digits) {
  return String(Number(value.toPrecision(digits)));
}

// 12345 -> "12.3 k" (with a unit: "12.3 kN"); very small and very large numbers in powers of ten.
export function si(value, unit = '', digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0) return unit ? `0 ${unit}` : '0';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(Number(value.toPrecision(digits)));
  const found = prefixes.find(([scale]) => size >= scale);
  if (!found || size >= 1e15) return `${value.toExponential(digits - 1).replace('-', '−')} ${unit}`.trim();
  const text = trimmed(value / found[0], digits).replace('-', '−');
  return unit || found[1] ? `${text} ${found[1]}${unit}` : text;
}

// One prefix for numbers up to `high`: [what to divide by, the prefix].
export function commonPrefix(high) {
  if (!(high > 0) || (high >= 0.1 && high < 1e4)) return [1, ''];
  return prefixes.find(([scale]) => high >= scale) ?? prefixes.at(-1);
}

export function plural(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

// Counts and masses: thin spaces between thousands.
export function grouped(value, digits = 6) {
  if (value === null || value === undefined) return '–';
  if (Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-3)) return power(value, 3);
  const [whole, fraction] = trimmed(value, digits).split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, '\u2009');
  return fraction ? `${spaced}.${fraction}` : spaced;
}

// 1.23e-7 -> "1.23e-7"; ordinary numbers stay as they are.
export function power(value, digits = 3) {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? trimmed(value, digits) : value.toExponential(digits - 1).replace('e+', 'e');
}

export function seconds(value, digits = 3) {
  return `${value.toFixed(digits)} s`;
}

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') node.className = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}
