/** What a drawing has to work with: a frame centred on (0, 0), 100 high and `2 * halfWidth` wide, and three colours. */
export interface Canvas {
  halfWidth: number
  ground: string
  ink: string
  spark: string
  /** The next number of the seed's sequence, from 0 up to 1. */
  next(): number
}

/** SVG elements over a ground that is already filled. What matters stands within the middle square. */
export type Drawing = (canvas: Canvas) => string

const n = (value: number) => String(Math.round(value * 10) / 10)
const between = (canvas: Canvas, low: number, high: number) => low + (high - low) * canvas.next()
const side = (canvas: Canvas) => (canvas.next() < 0.5 ? -1 : 1)
const gradient = (from: string, to: string, attributes: string) =>
  `<linearGradient id="g" gradientUnits="userSpaceOnUse" ${attributes}><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

/** A disc under varispeed: slices of one width whose gaps open as it slows down. */
const slicedDisc: Drawing = (canvas) => {
  const count = 11 + Math.floor(canvas.next() * 5)
  const radius = between(canvas, 27, 33)
  const width = (2 * radius) / count
  const opening = between(canvas, 0.035, 0.06)
  const mirrored = side(canvas)
  const half = (x: number) => Math.sqrt(Math.max(0, radius * radius - x * x))
  const gaps = Array.from({ length: count - 1 }, (_, index) => 0.35 + index * index * opening)
  let x = -radius - gaps.reduce((sum, gap) => sum + gap, 0) / 2
  let path = ''
  for (let index = 0; index < count; index++) {
    const from = -radius + index * width
    const [left, right] = [half(from), half(from + width)]
    const arc = `A${n(radius)} ${n(radius)} 0 0 1`
    path += `M${n(x)} ${n(-left)}${arc} ${n(x + width)} ${n(-right)}V${n(right)}${arc} ${n(x)} ${n(left)}Z`
    x += width + (gaps[index] ?? 0)
  }
  const needle = between(canvas, -6, 6)
  return (
    gradient(canvas.ink, canvas.spark, `x1="0" y1="${n(-radius)}" x2="0" y2="${n(radius)}"`) +
    `<g transform="scale(${mirrored} 1)"><path fill="url(#g)" d="${path}"/></g>` +
    `<path stroke="${canvas.ground}" stroke-width="1" d="M${n(-canvas.halfWidth)} ${n(needle)}H${n(canvas.halfWidth)}"/>`
  )
}

/** Grooves around a sun that has gone off to one side. */
const grooves: Drawing = (canvas) => {
  const x = side(canvas) * between(canvas, 20, 42)
  const y = side(canvas) * between(canvas, 24, 44)
  const core = between(canvas, 11, 17)
  const bright = 3 + Math.floor(canvas.next() * 4)
  let rings = ''
  let radius = core + 5
  for (let index = 0; radius < canvas.halfWidth + 95; index++) {
    const lit = index % 8 === bright
    const weight = lit ? 3.2 : between(canvas, 0.5, 2)
    rings += `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" stroke-width="${n(weight)}"${lit ? ` stroke="${canvas.spark}"` : ''}/>`
    radius += between(canvas, 3.2, 4.8)
  }
  return `<g fill="none" stroke="${canvas.ink}">${rings}</g><circle cx="${n(x)}" cy="${n(y)}" r="${n(core)}" fill="${canvas.spark}"/>`
}

/** Orbits: one ellipse turned about the middle until it becomes a flower. */
const orbits: Drawing = (canvas) => {
  const count = 14 + Math.floor(canvas.next() * 10)
  const long = between(canvas, 40, 46)
  const short = between(canvas, 10, 22)
  const start = between(canvas, 0, 180)
  const chosen = Math.floor(canvas.next() * count)
  const ellipse = (index: number) =>
    `<ellipse rx="${n(long)}" ry="${n(short)}" transform="rotate(${n(start + (index * 180) / count)})"${index === chosen ? ` stroke="${canvas.spark}" stroke-width="1.8"` : ''}/>`
  const order = Array.from({ length: count }, (_, index) => index).sort((a, b) => Number(a === chosen) - Number(b === chosen))
  return (
    `<g fill="none" stroke="${canvas.ink}" stroke-width="0.7">${order.map(ellipse).join('')}</g>` +
    `<circle r="${n(short * 0.45)}" fill="${canvas.spark}"/><circle r="1.4" fill="${canvas.ground}"/>`
  )
}

/** Ridges: one line of sound behind another. */
const ridges: Drawing = (canvas) => {
  const lines = 14
  const spread = between(canvas, 16, 26)
  const centre = between(canvas, -12, 12)
  const [slow, quick] = [between(canvas, 0.1, 0.16), between(canvas, 0.22, 0.34)]
  const bright = Math.floor(canvas.next() * 5)
  const edge = canvas.halfWidth + 4
  let drawn = ''
  for (let line = 0; line < lines; line++) {
    const base = -24 + line * 5.4
    const phase = between(canvas, 0, 6.3)
    let path = `M${n(-edge)} ${n(base)}`
    for (let x = -46; x <= 46; x += 2.3) {
      const rise = Math.exp(-(((x - centre) / spread) ** 2))
      path += `L${n(x)} ${n(base - rise * (5 + 17 * Math.abs(Math.sin(x * slow + phase) * Math.sin(x * quick + line))))}`
    }
    drawn += `<path d="${path}H${n(edge)}V60H${n(-edge)}Z"${line % 5 === bright ? ` stroke="${canvas.spark}"` : ''}/>`
  }
  return `<g fill="${canvas.ground}" stroke="${canvas.ink}" stroke-width="0.9" stroke-linejoin="round">${drawn}</g>`
}

/** A spectrum that goes round: bars on a circle. */
const spectrum: Drawing = (canvas) => {
  const bars = 72
  const inner = between(canvas, 13, 18)
  const lobes = 2 + Math.floor(canvas.next() * 4)
  const phase = between(canvas, 0, 6.3)
  let outer = ''
  let tips = ''
  for (let index = 0; index < bars; index++) {
    const turn = (index / bars) * 2 * Math.PI
    const length = 4 + 21 * Math.abs(Math.sin((turn * lobes) / 2 + phase)) * between(canvas, 0.45, 1)
    const at = (radius: number) => `${n(Math.sin(turn) * radius)} ${n(-Math.cos(turn) * radius)}`
    outer += `M${at(inner)}L${at(inner + length)}`
    tips += `M${at(inner + length + 2.2)}L${at(inner + length + 4)}`
  }
  return (
    `<g fill="none" stroke-width="1.1"><path stroke="${canvas.ink}" d="${outer}"/><path stroke="${canvas.spark}" d="${tips}"/></g>` +
    `<circle r="${n(inner - 3)}" fill="${canvas.spark}"/><circle r="1.6" fill="${canvas.ground}"/>`
  )
}

/** Tiles of quarter and half discs, like the pieces of a record put back in the wrong order. */
const tiles: Drawing = (canvas) => {
  const size = canvas.next() < 0.5 ? 25 : 100 / 3
  const columns = Math.ceil(canvas.halfWidth / size)
  const rows = Math.round(100 / size)
  const paths: Record<string, string> = { [canvas.ink]: '', [canvas.spark]: '' }
  for (let row = 0; row < rows; row++) {
    for (let column = -columns; column < columns; column++) {
      const [x, y] = [column * size, -50 + row * size]
      const kind = Math.floor(canvas.next() * 6)
      const colour = canvas.next() < 0.62 ? canvas.ink : canvas.spark
      const s = n(size)
      const h = n(size / 2)
      const shapes = [
        `M${n(x)} ${n(y)}h${s}a${s} ${s} 0 0 1 -${s} ${s}z`,
        `M${n(x + size)} ${n(y + size)}h-${s}a${s} ${s} 0 0 1 ${s} -${s}z`,
        `M${n(x)} ${n(y + size)}a${h} ${h} 0 0 1 ${s} 0z`,
        `M${n(x)} ${n(y)}a${h} ${h} 0 0 0 ${s} 0z`,
        `M${n(x + size / 4)} ${n(y + size / 2)}a${n(size / 4)} ${n(size / 4)} 0 1 1 0 0.1z`,
      ]
      paths[colour] += shapes[kind] ?? ''
    }
  }
  return Object.entries(paths)
    .map(([colour, path]) => `<path fill="${colour}" d="${path}"/>`)
    .join('')
}

/** Two sets of ripples that interfere. */
const ripples: Drawing = (canvas) => {
  const apart = between(canvas, 7, 17)
  const lift = between(canvas, -5, 5)
  const step = between(canvas, 4.6, 6)
  const rings = (x: number, y: number, colour: string) => {
    let path = ''
    for (let radius = step; radius < canvas.halfWidth + 24; radius += step) {
      path += `M${n(x - radius)} ${n(y)}a${n(radius)} ${n(radius)} 0 1 1 0 0.1z`
    }
    return `<path stroke="${colour}" d="${path}"/>`
  }
  return `<g fill="none" stroke-width="1.9">${rings(-apart, lift, canvas.ink)}${rings(apart, -lift, canvas.spark)}</g>`
}

/** A sun on the horizon, cut by bands that widen, and its track on the water. */
const horizon: Drawing = (canvas) => {
  const radius = between(canvas, 25, 31)
  const x = side(canvas) * between(canvas, 0, 12)
  const line = between(canvas, 10, 18)
  const y = line - between(canvas, 8, 16)
  let bands = ''
  for (let index = 0, at = y - radius * 0.25; at < line; index++) {
    const thick = 0.6 + index * 0.42
    bands += `M${n(x - radius - 1)} ${n(at)}h${n(2 * radius + 2)}v${n(thick)}h${n(-2 * radius - 2)}z`
    at += thick + 3.1
  }
  let water = ''
  for (let at = line + 2.2, gap = 2.4; at < 52; at += gap, gap *= 1.17) {
    const depth = (at - line) / (52 - line)
    const half = radius * (0.95 - 0.5 * depth) * between(canvas, 0.55, 1)
    const drift = between(canvas, -4, 4)
    water += `M${n(x - half + drift)} ${n(at)}H${n(x + half + drift)}`
  }
  const edge = canvas.halfWidth + 2
  return (
    gradient(canvas.spark, canvas.ink, `x1="0" y1="${n(y - radius)}" x2="0" y2="${n(line)}"`) +
    `<clipPath id="c"><path d="M${n(-edge)} -60H${n(edge)}V${n(line)}H${n(-edge)}Z"/></clipPath>` +
    `<g clip-path="url(#c)"><circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="url(#g)"/><path fill="${canvas.ground}" d="${bands}"/></g>` +
    `<path stroke="${canvas.ink}" stroke-width="0.6" d="M${n(-edge)} ${n(line)}H${n(edge)}"/>` +
    `<path fill="none" stroke="${canvas.spark}" stroke-width="1.1" stroke-linecap="round" d="${water}"/>`
  )
}

export const drawings: readonly Drawing[] = [slicedDisc, grooves, orbits, ridges, spectrum, tiles, ripples, horizon]
