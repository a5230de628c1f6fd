/** The input of a drawing function: a frame centred on (0, 0), 100 high and `2 * halfWidth` wide, and three colours. */
export interface CoverCanvas {
  halfWidth: number
  backgroundColour: string
  mainColour: string
  accentColour: string
  /** Returns the next pseudo-random number in [0, 1). */
  nextRandom(): number
}

/**
 * Returns SVG elements to place over a filled background. The main shape is inside the central square, so that it stays visible if the cover is
 * cropped to a square.
 */
export type CoverDrawing = (canvas: CoverCanvas) => string

const formatNumber = (value: number) => String(Math.round(value * 10) / 10)
const randomBetween = (canvas: CoverCanvas, minimum: number, maximum: number) => minimum + (maximum - minimum) * canvas.nextRandom()
const randomSide = (canvas: CoverCanvas) => (canvas.nextRandom() < 0.5 ? -1 : 1)
const linearGradient = (from: string, to: string, attributes: string) =>
  `<linearGradient id="g" gradientUnits="userSpaceOnUse" ${attributes}><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

/** Draws a disc that is cut into slices of equal width with growing gaps. */
const slicedDisc: CoverDrawing = (canvas) => {
  const sliceCount = 11 + Math.floor(canvas.nextRandom() * 5)
  const radius = randomBetween(canvas, 27, 33)
  const width = (2 * radius) / sliceCount
  const gapGrowth = randomBetween(canvas, 0.035, 0.06)
  const mirrorSign = randomSide(canvas)
  const halfChordAt = (x: number) => Math.sqrt(Math.max(0, radius * radius - x * x))
  const gaps = Array.from({ length: sliceCount - 1 }, (_, index) => 0.35 + index * index * gapGrowth)
  let x = -radius - gaps.reduce((sum, gap) => sum + gap, 0) / 2
  let outlineText = ''
  for (let index = 0; index < sliceCount; index++) {
    const fromX = -radius + index * width
    const [leftHalfChord, rightHalfChord] = [halfChordAt(fromX), halfChordAt(fromX + width)]
    const arc = `A${formatNumber(radius)} ${formatNumber(radius)} 0 0 1`
    outlineText += `M${formatNumber(x)} ${formatNumber(-leftHalfChord)}${arc} ${formatNumber(x + width)} ${formatNumber(-rightHalfChord)}V${formatNumber(rightHalfChord)}${arc} ${formatNumber(x)} ${formatNumber(leftHalfChord)}Z`
    x += width + (gaps[index] ?? 0)
  }
  const needleAngle = randomBetween(canvas, -6, 6)
  return (
    linearGradient(canvas.mainColour, canvas.accentColour, `x1="0" y1="${formatNumber(-radius)}" x2="0" y2="${formatNumber(radius)}"`) +
    `<g transform="scale(${mirrorSign} 1)"><path fill="url(#g)" d="${outlineText}"/></g>` +
    `<path stroke="${canvas.backgroundColour}" stroke-width="1" d="M${formatNumber(-canvas.halfWidth)} ${formatNumber(needleAngle)}H${formatNumber(canvas.halfWidth)}"/>`
  )
}

/** Draws concentric grooves around an off-centre disc. */
const drawGrooves: CoverDrawing = (canvas) => {
  const x = randomSide(canvas) * randomBetween(canvas, 20, 42)
  const y = randomSide(canvas) * randomBetween(canvas, 24, 44)
  const coreRadius = randomBetween(canvas, 11, 17)
  const brightIndex = 3 + Math.floor(canvas.nextRandom() * 4)
  let rings = ''
  let radius = coreRadius + 5
  for (let index = 0; radius < canvas.halfWidth + 95; index++) {
    const isBright = index % 8 === brightIndex
    const strokeWidth = isBright ? 3.2 : randomBetween(canvas, 0.5, 2)
    rings += `<circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(radius)}" stroke-width="${formatNumber(strokeWidth)}"${isBright ? ` stroke="${canvas.accentColour}"` : ''}/>`
    radius += randomBetween(canvas, 3.2, 4.8)
  }
  return `<g fill="none" stroke="${canvas.mainColour}">${rings}</g><circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(coreRadius)}" fill="${canvas.accentColour}"/>`
}

/** Draws ellipses that are rotated about the centre. */
const drawOrbits: CoverDrawing = (canvas) => {
  const ellipseCount = 14 + Math.floor(canvas.nextRandom() * 10)
  const longRadius = randomBetween(canvas, 40, 46)
  const shortRadius = randomBetween(canvas, 10, 22)
  const startDegrees = randomBetween(canvas, 0, 180)
  const chosenIndex = Math.floor(canvas.nextRandom() * ellipseCount)
  const ellipseAt = (index: number) =>
    `<ellipse rx="${formatNumber(longRadius)}" ry="${formatNumber(shortRadius)}" transform="rotate(${formatNumber(startDegrees + (index * 180) / ellipseCount)})"${index === chosenIndex ? ` stroke="${canvas.accentColour}" stroke-width="1.8"` : ''}/>`
  const drawingOrder = Array.from({ length: ellipseCount }, (_, index) => index).sort(
    (a, b) => Number(a === chosenIndex) - Number(b === chosenIndex),
  )
  return (
    `<g fill="none" stroke="${canvas.mainColour}" stroke-width="0.7">${drawingOrder.map(ellipseAt).join('')}</g>` +
    `<circle r="${formatNumber(shortRadius * 0.45)}" fill="${canvas.accentColour}"/><circle r="1.4" fill="${canvas.backgroundColour}"/>`
  )
}

/** Draws waveforms that are stacked behind each other. */
const drawRidges: CoverDrawing = (canvas) => {
  const lineCount = 14
  const hillWidth = randomBetween(canvas, 16, 26)
  const centre = randomBetween(canvas, -12, 12)
  const [slowFrequency, quickFrequency] = [randomBetween(canvas, 0.1, 0.16), randomBetween(canvas, 0.22, 0.34)]
  const brightIndex = Math.floor(canvas.nextRandom() * 5)
  const edge = canvas.halfWidth + 4
  let drawnPaths = ''
  for (let line = 0; line < lineCount; line++) {
    const baseY = -24 + line * 5.4
    const phase = randomBetween(canvas, 0, 6.3)
    let outlineText = `M${formatNumber(-edge)} ${formatNumber(baseY)}`
    for (let x = -46; x <= 46; x += 2.3) {
      const hillHeight = Math.exp(-(((x - centre) / hillWidth) ** 2))
      outlineText += `L${formatNumber(x)} ${formatNumber(baseY - hillHeight * (5 + 17 * Math.abs(Math.sin(x * slowFrequency + phase) * Math.sin(x * quickFrequency + line))))}`
    }
    drawnPaths += `<path d="${outlineText}H${formatNumber(edge)}V60H${formatNumber(-edge)}Z"${line % 5 === brightIndex ? ` stroke="${canvas.accentColour}"` : ''}/>`
  }
  return `<g fill="${canvas.backgroundColour}" stroke="${canvas.mainColour}" stroke-width="0.9" stroke-linejoin="round">${drawnPaths}</g>`
}

/** Draws a circular spectrum: bars on a circle. */
const drawSpectrum: CoverDrawing = (canvas) => {
  const barCount = 72
  const innerRadius = randomBetween(canvas, 13, 18)
  const lobeCount = 2 + Math.floor(canvas.nextRandom() * 4)
  const phase = randomBetween(canvas, 0, 6.3)
  let outerBars = ''
  let barTips = ''
  for (let index = 0; index < barCount; index++) {
    const angle = (index / barCount) * 2 * Math.PI
    const length = 4 + 21 * Math.abs(Math.sin((angle * lobeCount) / 2 + phase)) * randomBetween(canvas, 0.45, 1)
    const pointAt = (radius: number) => `${formatNumber(Math.sin(angle) * radius)} ${formatNumber(-Math.cos(angle) * radius)}`
    outerBars += `M${pointAt(innerRadius)}L${pointAt(innerRadius + length)}`
    barTips += `M${pointAt(innerRadius + length + 2.2)}L${pointAt(innerRadius + length + 4)}`
  }
  return (
    `<g fill="none" stroke-width="1.1"><path stroke="${canvas.mainColour}" d="${outerBars}"/><path stroke="${canvas.accentColour}" d="${barTips}"/></g>` +
    `<circle r="${formatNumber(innerRadius - 3)}" fill="${canvas.accentColour}"/><circle r="1.6" fill="${canvas.backgroundColour}"/>`
  )
}

/** Draws a grid of quarter and half discs. */
const drawTiles: CoverDrawing = (canvas) => {
  const tileSize = canvas.nextRandom() < 0.5 ? 25 : 100 / 3
  const halfColumnCount = Math.ceil(canvas.halfWidth / tileSize)
  const rows = Math.round(100 / tileSize)
  const paths: Record<string, string> = { [canvas.mainColour]: '', [canvas.accentColour]: '' }
  for (let row = 0; row < rows; row++) {
    for (let column = -halfColumnCount; column < halfColumnCount; column++) {
      const [x, y] = [column * tileSize, -50 + row * tileSize]
      const kind = Math.floor(canvas.nextRandom() * 6)
      const colour = canvas.nextRandom() < 0.62 ? canvas.mainColour : canvas.accentColour
      const s = formatNumber(tileSize)
      const h = formatNumber(tileSize / 2)
      const shapes = [
        `M${formatNumber(x)} ${formatNumber(y)}h${s}a${s} ${s} 0 0 1 -${s} ${s}z`,
        `M${formatNumber(x + tileSize)} ${formatNumber(y + tileSize)}h-${s}a${s} ${s} 0 0 1 ${s} -${s}z`,
        `M${formatNumber(x)} ${formatNumber(y + tileSize)}a${h} ${h} 0 0 1 ${s} 0z`,
        `M${formatNumber(x)} ${formatNumber(y)}a${h} ${h} 0 0 0 ${s} 0z`,
        `M${formatNumber(x + tileSize / 4)} ${formatNumber(y + tileSize / 2)}a${formatNumber(tileSize / 4)} ${formatNumber(tileSize / 4)} 0 1 1 0 0.1z`,
      ]
      paths[colour] += shapes[kind] ?? ''
    }
  }
  return Object.entries(paths)
    .map(([colour, path]) => `<path fill="${colour}" d="${path}"/>`)
    .join('')
}

/** Draws two sets of concentric circles that interfere. */
const drawRipples: CoverDrawing = (canvas) => {
  const centreDistance = randomBetween(canvas, 7, 17)
  const centreLift = randomBetween(canvas, -5, 5)
  const step = randomBetween(canvas, 4.6, 6)
  const drawRings = (x: number, y: number, colour: string) => {
    let outlineText = ''
    for (let radius = step; radius < canvas.halfWidth + 24; radius += step) {
      outlineText += `M${formatNumber(x - radius)} ${formatNumber(y)}a${formatNumber(radius)} ${formatNumber(radius)} 0 1 1 0 0.1z`
    }
    return `<path stroke="${colour}" d="${outlineText}"/>`
  }
  return `<g fill="none" stroke-width="1.9">${drawRings(-centreDistance, centreLift, canvas.mainColour)}${drawRings(centreDistance, -centreLift, canvas.accentColour)}</g>`
}

/** Draws a sun above the horizon, cut by widening bands, with its reflection on water. */
const drawHorizon: CoverDrawing = (canvas) => {
  const radius = randomBetween(canvas, 25, 31)
  const x = randomSide(canvas) * randomBetween(canvas, 0, 12)
  const horizonY = randomBetween(canvas, 10, 18)
  const y = horizonY - randomBetween(canvas, 8, 16)
  let bandPath = ''
  for (let index = 0, lineY = y - radius * 0.25; lineY < horizonY; index++) {
    const bandHeight = 0.6 + index * 0.42
    bandPath += `M${formatNumber(x - radius - 1)} ${formatNumber(lineY)}h${formatNumber(2 * radius + 2)}v${formatNumber(bandHeight)}h${formatNumber(-2 * radius - 2)}z`
    lineY += bandHeight + 3.1
  }
  let waterPath = ''
  for (let lineY = horizonY + 2.2, gap = 2.4; lineY < 52; lineY += gap, gap *= 1.17) {
    const depth = (lineY - horizonY) / (52 - horizonY)
    const halfBarWidth = radius * (0.95 - 0.5 * depth) * randomBetween(canvas, 0.55, 1)
    const driftX = randomBetween(canvas, -4, 4)
    waterPath += `M${formatNumber(x - halfBarWidth + driftX)} ${formatNumber(lineY)}H${formatNumber(x + halfBarWidth + driftX)}`
  }
  const edge = canvas.halfWidth + 2
  return (
    linearGradient(
      canvas.accentColour,
      canvas.mainColour,
      `x1="0" y1="${formatNumber(y - radius)}" x2="0" y2="${formatNumber(horizonY)}"`,
    ) +
    `<clipPath id="c"><path d="M${formatNumber(-edge)} -60H${formatNumber(edge)}V${formatNumber(horizonY)}H${formatNumber(-edge)}Z"/></clipPath>` +
    `<g clip-path="url(#c)"><circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(radius)}" fill="url(#g)"/><path fill="${canvas.backgroundColour}" d="${bandPath}"/></g>` +
    `<path stroke="${canvas.mainColour}" stroke-width="0.6" d="M${formatNumber(-edge)} ${formatNumber(horizonY)}H${formatNumber(edge)}"/>` +
    `<path fill="none" stroke="${canvas.accentColour}" stroke-width="1.1" stroke-linecap="round" d="${waterPath}"/>`
  )
}

export const coverDrawings: readonly CoverDrawing[] = [
  slicedDisc,
  drawGrooves,
  drawOrbits,
  drawRidges,
  drawSpectrum,
  drawTiles,
  drawRipples,
  drawHorizon,
]
