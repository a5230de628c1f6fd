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
const drawRandomBetween = (canvas: CoverCanvas, minimum: number, maximum: number) => minimum + (maximum - minimum) * canvas.nextRandom()
const drawRandomSide = (canvas: CoverCanvas) => (canvas.nextRandom() < 0.5 ? -1 : 1)
const renderLinearGradient = (from: string, to: string, attributes: string) =>
  `<linearGradient id="g" gradientUnits="userSpaceOnUse" ${attributes}><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

/** Draws a disc that is cut into slices of equal width with growing gaps. */
const drawSlicedDisc: CoverDrawing = (canvas) => {
  const sliceCount = 11 + Math.floor(canvas.nextRandom() * 5)
  const outerRadius = drawRandomBetween(canvas, 27, 33)
  const sliceWidth = (2 * outerRadius) / sliceCount
  const gapGrowth = drawRandomBetween(canvas, 0.035, 0.06)
  const mirrorSign = drawRandomSide(canvas)
  const computeHalfChordAt = (x: number) => Math.sqrt(Math.max(0, outerRadius * outerRadius - x * x))
  const gapHeights = Array.from({ length: sliceCount - 1 }, (_, index) => 0.35 + index * index * gapGrowth)
  let sliceX = -outerRadius - gapHeights.reduce((sum, gap) => sum + gap, 0) / 2
  let outlineText = ''
  for (let index = 0; index < sliceCount; index++) {
    const fromX = -outerRadius + index * sliceWidth
    const [leftHalfChord, rightHalfChord] = [computeHalfChordAt(fromX), computeHalfChordAt(fromX + sliceWidth)]
    const arc = `A${formatNumber(outerRadius)} ${formatNumber(outerRadius)} 0 0 1`
    outlineText += `M${formatNumber(sliceX)} ${formatNumber(-leftHalfChord)}${arc} ${formatNumber(sliceX + sliceWidth)} ${formatNumber(-rightHalfChord)}V${formatNumber(rightHalfChord)}${arc} ${formatNumber(sliceX)} ${formatNumber(leftHalfChord)}Z`
    sliceX += sliceWidth + (gapHeights[index] ?? 0)
  }
  const needleY = drawRandomBetween(canvas, -6, 6)
  return (
    renderLinearGradient(
      canvas.mainColour,
      canvas.accentColour,
      `x1="0" y1="${formatNumber(-outerRadius)}" x2="0" y2="${formatNumber(outerRadius)}"`,
    ) +
    `<g transform="scale(${mirrorSign} 1)"><path fill="url(#g)" d="${outlineText}"/></g>` +
    `<path stroke="${canvas.backgroundColour}" stroke-width="1" d="M${formatNumber(-canvas.halfWidth)} ${formatNumber(needleY)}H${formatNumber(canvas.halfWidth)}"/>`
  )
}

/** Draws concentric grooves around an off-centre disc. */
const drawGrooves: CoverDrawing = (canvas) => {
  const x = drawRandomSide(canvas) * drawRandomBetween(canvas, 20, 42)
  const y = drawRandomSide(canvas) * drawRandomBetween(canvas, 24, 44)
  const coreRadius = drawRandomBetween(canvas, 11, 17)
  const accentRingIndex = 3 + Math.floor(canvas.nextRandom() * 4)
  let ringsSvg = ''
  let ringRadius = coreRadius + 5
  for (let index = 0; ringRadius < canvas.halfWidth + 95; index++) {
    const isAccentRing = index % 8 === accentRingIndex
    const strokeWidth = isAccentRing ? 3.2 : drawRandomBetween(canvas, 0.5, 2)
    ringsSvg += `<circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(ringRadius)}" stroke-width="${formatNumber(strokeWidth)}"${isAccentRing ? ` stroke="${canvas.accentColour}"` : ''}/>`
    ringRadius += drawRandomBetween(canvas, 3.2, 4.8)
  }
  return `<g fill="none" stroke="${canvas.mainColour}">${ringsSvg}</g><circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(coreRadius)}" fill="${canvas.accentColour}"/>`
}

/** Draws ellipses that are rotated about the centre. */
const drawOrbits: CoverDrawing = (canvas) => {
  const ellipseCount = 14 + Math.floor(canvas.nextRandom() * 10)
  const longRadius = drawRandomBetween(canvas, 40, 46)
  const shortRadius = drawRandomBetween(canvas, 10, 22)
  const startDegrees = drawRandomBetween(canvas, 0, 180)
  const accentEllipseIndex = Math.floor(canvas.nextRandom() * ellipseCount)
  const renderEllipseAt = (index: number) =>
    `<ellipse rx="${formatNumber(longRadius)}" ry="${formatNumber(shortRadius)}" transform="rotate(${formatNumber(startDegrees + (index * 180) / ellipseCount)})"${index === accentEllipseIndex ? ` stroke="${canvas.accentColour}" stroke-width="1.8"` : ''}/>`
  const drawingOrder = Array.from({ length: ellipseCount }, (_, index) => index).sort(
    (a, b) => Number(a === accentEllipseIndex) - Number(b === accentEllipseIndex),
  )
  return (
    `<g fill="none" stroke="${canvas.mainColour}" stroke-width="0.7">${drawingOrder.map(renderEllipseAt).join('')}</g>` +
    `<circle r="${formatNumber(shortRadius * 0.45)}" fill="${canvas.accentColour}"/><circle r="1.4" fill="${canvas.backgroundColour}"/>`
  )
}

/** Draws waveforms that are stacked behind each other. */
const drawRidges: CoverDrawing = (canvas) => {
  const lineCount = 14
  const hillWidth = drawRandomBetween(canvas, 16, 26)
  const centreX = drawRandomBetween(canvas, -12, 12)
  const [slowFrequency, quickFrequency] = [drawRandomBetween(canvas, 0.1, 0.16), drawRandomBetween(canvas, 0.22, 0.34)]
  const accentLineIndex = Math.floor(canvas.nextRandom() * 5)
  const edgeX = canvas.halfWidth + 4
  let drawnPaths = ''
  for (let lineIndex = 0; lineIndex < lineCount; lineIndex++) {
    const baseY = -24 + lineIndex * 5.4
    const phaseRadians = drawRandomBetween(canvas, 0, 6.3)
    let outlineText = `M${formatNumber(-edgeX)} ${formatNumber(baseY)}`
    for (let x = -46; x <= 46; x += 2.3) {
      const hillHeight = Math.exp(-(((x - centreX) / hillWidth) ** 2))
      outlineText += `L${formatNumber(x)} ${formatNumber(baseY - hillHeight * (5 + 17 * Math.abs(Math.sin(x * slowFrequency + phaseRadians) * Math.sin(x * quickFrequency + lineIndex))))}`
    }
    drawnPaths += `<path d="${outlineText}H${formatNumber(edgeX)}V60H${formatNumber(-edgeX)}Z"${lineIndex % 5 === accentLineIndex ? ` stroke="${canvas.accentColour}"` : ''}/>`
  }
  return `<g fill="${canvas.backgroundColour}" stroke="${canvas.mainColour}" stroke-width="0.9" stroke-linejoin="round">${drawnPaths}</g>`
}

/** Draws a circular spectrum: bars on a circle. */
const drawSpectrum: CoverDrawing = (canvas) => {
  const barCount = 72
  const innerRadius = drawRandomBetween(canvas, 13, 18)
  const lobeCount = 2 + Math.floor(canvas.nextRandom() * 4)
  const phaseRadians = drawRandomBetween(canvas, 0, 6.3)
  let outerBars = ''
  let barTips = ''
  for (let index = 0; index < barCount; index++) {
    const angleRadians = (index / barCount) * 2 * Math.PI
    const barLength = 4 + 21 * Math.abs(Math.sin((angleRadians * lobeCount) / 2 + phaseRadians)) * drawRandomBetween(canvas, 0.45, 1)
    const formatPointAt = (radius: number) =>
      `${formatNumber(Math.sin(angleRadians) * radius)} ${formatNumber(-Math.cos(angleRadians) * radius)}`
    outerBars += `M${formatPointAt(innerRadius)}L${formatPointAt(innerRadius + barLength)}`
    barTips += `M${formatPointAt(innerRadius + barLength + 2.2)}L${formatPointAt(innerRadius + barLength + 4)}`
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
  const rowCount = Math.round(100 / tileSize)
  const pathByColour: Record<string, string> = { [canvas.mainColour]: '', [canvas.accentColour]: '' }
  for (let rowIndex = 0; rowIndex < rowCount; rowIndex++) {
    for (let columnIndex = -halfColumnCount; columnIndex < halfColumnCount; columnIndex++) {
      const [x, y] = [columnIndex * tileSize, -50 + rowIndex * tileSize]
      const shapeKind = Math.floor(canvas.nextRandom() * 6)
      const tileColour = canvas.nextRandom() < 0.62 ? canvas.mainColour : canvas.accentColour
      const sizeText = formatNumber(tileSize)
      const halfTile = formatNumber(tileSize / 2)
      const tileShapes = [
        `M${formatNumber(x)} ${formatNumber(y)}h${sizeText}a${sizeText} ${sizeText} 0 0 1 -${sizeText} ${sizeText}z`,
        `M${formatNumber(x + tileSize)} ${formatNumber(y + tileSize)}h-${sizeText}a${sizeText} ${sizeText} 0 0 1 ${sizeText} -${sizeText}z`,
        `M${formatNumber(x)} ${formatNumber(y + tileSize)}a${halfTile} ${halfTile} 0 0 1 ${sizeText} 0z`,
        `M${formatNumber(x)} ${formatNumber(y)}a${halfTile} ${halfTile} 0 0 0 ${sizeText} 0z`,
        `M${formatNumber(x + tileSize / 4)} ${formatNumber(y + tileSize / 2)}a${formatNumber(tileSize / 4)} ${formatNumber(tileSize / 4)} 0 1 1 0 0.1z`,
      ]
      pathByColour[tileColour] += tileShapes[shapeKind] ?? ''
    }
  }
  return Object.entries(pathByColour)
    .map(([colour, path]) => `<path fill="${colour}" d="${path}"/>`)
    .join('')
}

/** Draws two sets of concentric circles that interfere. */
const drawRipples: CoverDrawing = (canvas) => {
  const centreDistance = drawRandomBetween(canvas, 7, 17)
  const centreLift = drawRandomBetween(canvas, -5, 5)
  const ringStep = drawRandomBetween(canvas, 4.6, 6)
  const drawRings = (x: number, y: number, ringColour: string) => {
    let outlineText = ''
    for (let radius = ringStep; radius < canvas.halfWidth + 24; radius += ringStep) {
      outlineText += `M${formatNumber(x - radius)} ${formatNumber(y)}a${formatNumber(radius)} ${formatNumber(radius)} 0 1 1 0 0.1z`
    }
    return `<path stroke="${ringColour}" d="${outlineText}"/>`
  }
  return `<g fill="none" stroke-width="1.9">${drawRings(-centreDistance, centreLift, canvas.mainColour)}${drawRings(centreDistance, -centreLift, canvas.accentColour)}</g>`
}

/** Draws a sun above the horizon, cut by widening bands, with its reflection on water. */
const drawHorizon: CoverDrawing = (canvas) => {
  const sunRadius = drawRandomBetween(canvas, 25, 31)
  const x = drawRandomSide(canvas) * drawRandomBetween(canvas, 0, 12)
  const horizonY = drawRandomBetween(canvas, 10, 18)
  const y = horizonY - drawRandomBetween(canvas, 8, 16)
  let bandPath = ''
  for (let index = 0, lineY = y - sunRadius * 0.25; lineY < horizonY; index++) {
    const bandHeight = 0.6 + index * 0.42
    bandPath += `M${formatNumber(x - sunRadius - 1)} ${formatNumber(lineY)}h${formatNumber(2 * sunRadius + 2)}v${formatNumber(bandHeight)}h${formatNumber(-2 * sunRadius - 2)}z`
    lineY += bandHeight + 3.1
  }
  let waterPath = ''
  for (let lineY = horizonY + 2.2, lineGap = 2.4; lineY < 52; lineY += lineGap, lineGap *= 1.17) {
    const depthShare = (lineY - horizonY) / (52 - horizonY)
    const halfBarWidth = sunRadius * (0.95 - 0.5 * depthShare) * drawRandomBetween(canvas, 0.55, 1)
    const driftX = drawRandomBetween(canvas, -4, 4)
    waterPath += `M${formatNumber(x - halfBarWidth + driftX)} ${formatNumber(lineY)}H${formatNumber(x + halfBarWidth + driftX)}`
  }
  const edgeX = canvas.halfWidth + 2
  return (
    renderLinearGradient(
      canvas.accentColour,
      canvas.mainColour,
      `x1="0" y1="${formatNumber(y - sunRadius)}" x2="0" y2="${formatNumber(horizonY)}"`,
    ) +
    `<clipPath id="c"><path d="M${formatNumber(-edgeX)} -60H${formatNumber(edgeX)}V${formatNumber(horizonY)}H${formatNumber(-edgeX)}Z"/></clipPath>` +
    `<g clip-path="url(#c)"><circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(sunRadius)}" fill="url(#g)"/><path fill="${canvas.backgroundColour}" d="${bandPath}"/></g>` +
    `<path stroke="${canvas.mainColour}" stroke-width="0.6" d="M${formatNumber(-edgeX)} ${formatNumber(horizonY)}H${formatNumber(edgeX)}"/>` +
    `<path fill="none" stroke="${canvas.accentColour}" stroke-width="1.1" stroke-linecap="round" d="${waterPath}"/>`
  )
}

export const coverDrawings: readonly CoverDrawing[] = [
  drawSlicedDisc,
  drawGrooves,
  drawOrbits,
  drawRidges,
  drawSpectrum,
  drawTiles,
  drawRipples,
  drawHorizon,
]
