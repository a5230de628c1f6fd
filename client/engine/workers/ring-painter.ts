import { computeBarAngle, computeBarLength, type RingShape } from '../video/frame-painter.ts'
import type { PlanarPicture } from './planar-picture.ts'

/** Pixels of a plane that bars can cover, sorted by bar and by their distance from the bar's inner end. */
interface BarPixels {
  /** The number of luma pixels for each pixel of the plane, in each direction. */
  readonly stepPx: number
  /** The position of each pixel in the plane. */
  readonly planeIndexes: Uint32Array
  /** The distance of each pixel from the inner end of the bar, along the bar, and from the middle of the bar, across it. */
  readonly along: Float32Array
  readonly across: Float32Array
  /**
   * The pixels of a bar are sorted by their distance from its inner end, which begins at `-margin`. For each bar and each whole distance in pixels, the index
   * of the bar's first pixel at that distance.
   */
  readonly starts: Uint32Array
  readonly startsPerBar: number
  /** How far a bar's round end and its soft edge reach beyond its length. */
  readonly margin: number
}

/**
 * Draws the bars of the ring over a still picture, as `paintForeground` does, but draws only the pixels that differ from the previous picture. This
 * takes a tenth of the time of drawing the whole picture.
 * @param basePicture the picture without bars
 * @param coveredPicture the picture if bars covered all of it
 */
export function createRingPainter(shape: RingShape, bandCount: number, basePicture: PlanarPicture, coveredPicture: PlanarPicture) {
  const { width, height } = basePicture
  const picture: PlanarPicture = { width, height, planes: basePicture.planes.slice() }
  const lumaSize = width * height
  const lumaBars = findBarPixels(shape, bandCount, width, height, 1)
  const chromaBars = findBarPixels(shape, bandCount, width, height, 2)
  const paintedLengths = new Float32Array(bandCount).fill(-Infinity)

  function paintBar(pixels: BarPixels, planeStarts: readonly number[], barIndex: number, fromLength: number, toLength: number) {
    const { stepPx: step, margin, startsPerBar, starts } = pixels
    const barRadius = shape.barWidth / 2
    const findStartIndex = (distance: number) =>
      starts[barIndex * startsPerBar + Math.min(startsPerBar - 1, Math.max(0, Math.floor(distance + margin)))] ?? 0
    const endIndex = findStartIndex(Math.max(fromLength, toLength) + margin + 1)
    for (let index = findStartIndex(Math.min(fromLength, toLength)); index < endIndex; index++) {
      const alongPx = pixels.along[index] ?? 0
      const acrossPx = pixels.across[index] ?? 0
      const distanceBeyondEnd = alongPx < 0 ? alongPx : Math.max(0, alongPx - toLength)
      const distancePx = Math.sqrt(distanceBeyondEnd * distanceBeyondEnd + acrossPx * acrossPx)
      const coverage = Math.min(1, Math.max(0, (barRadius - distancePx) / step + 0.5))
      for (const planeStart of planeStarts) {
        const at = planeStart + (pixels.planeIndexes[index] ?? 0)
        const from = basePicture.planes[at] ?? 0
        picture.planes[at] = from + coverage * ((coveredPicture.planes[at] ?? 0) - from) + 0.5
      }
    }
  }
  return {
    /** Draws bars of the given levels, 0 to 1. The next call changes the returned picture. */
    paint(bands: ArrayLike<number>): PlanarPicture {
      for (let bandIndex = 0; bandIndex < bandCount; bandIndex++) {
        const fromLength = paintedLengths[bandIndex] ?? 0
        const toLength = computeBarLength(shape, bands[bandIndex] ?? 0)
        if (Math.abs(toLength - fromLength) < 0.05) continue
        for (const bar of [2 * bandIndex, 2 * bandIndex + 1]) {
          paintBar(lumaBars, [0], bar, fromLength, toLength)
          paintBar(chromaBars, [lumaSize, lumaSize * 1.25], bar, fromLength, toLength)
        }
        paintedLengths[bandIndex] = toLength
      }
      return picture
    },
  }
}

function findBarPixels(shape: RingShape, bandCount: number, widthPx: number, heightPx: number, stepPx: number): BarPixels {
  const marginPx = shape.barWidth / 2 + stepPx
  const barPixels = Array.from({ length: 2 * bandCount }, (_, barIndex) => {
    const angleRadians = computeBarAngle(barIndex >> 1, bandCount)
    const [directionX, directionY] = [(barIndex & 1 ? -1 : 1) * Math.sin(angleRadians), Math.cos(angleRadians)]
    const endRadii = [shape.innerRadius, shape.innerRadius + shape.longestBar]
    const findRange = (centrePx: number, directionComponent: number, sizePx: number) => {
      const endCoordinates = endRadii.map((radius) => centrePx + directionComponent * radius)
      return {
        from: Math.max(0, Math.floor((Math.min(...endCoordinates) - marginPx) / stepPx)),
        to: Math.min(sizePx / stepPx, Math.ceil((Math.max(...endCoordinates) + marginPx) / stepPx)),
      }
    }
    const rowRange = findRange(shape.centreY, directionY, heightPx)
    const columnRange = findRange(shape.centreX, directionX, widthPx)
    const barPixels: { planeIndex: number; along: number; across: number }[] = []
    for (let y = rowRange.from; y < rowRange.to; y++)
      for (let x = columnRange.from; x < columnRange.to; x++) {
        const offsetX = (x + 0.5) * stepPx - shape.centreX
        const offsetY = (y + 0.5) * stepPx - shape.centreY
        const along = offsetX * directionX + offsetY * directionY - shape.innerRadius
        const across = offsetX * directionY - offsetY * directionX
        if (Math.abs(across) < marginPx && along > -marginPx && along < shape.longestBar + marginPx)
          barPixels.push({ planeIndex: (y * widthPx) / stepPx + x, along, across })
      }
    barPixels.sort((a, b) => a.along - b.along)
    // The objects of one bar are released before the next bar, because those of all bars would take 30 MB.
    return {
      planeIndexes: Uint32Array.from(barPixels, (pixel) => pixel.planeIndex),
      along: Float32Array.from(barPixels, (pixel) => pixel.along),
      across: Float32Array.from(barPixels, (pixel) => pixel.across),
    }
  })
  const pixelCount = barPixels.reduce((sum, { planeIndexes }) => sum + planeIndexes.length, 0)
  const allPixels = { planeIndexes: new Uint32Array(pixelCount), along: new Float32Array(pixelCount), across: new Float32Array(pixelCount) }
  const startsPerBar = Math.ceil(shape.longestBar + 2 * marginPx) + 2
  const startIndexes = new Uint32Array(barPixels.length * startsPerBar)
  let firstPixelIndex = 0
  for (const [barIndex, { planeIndexes, along, across }] of barPixels.entries()) {
    allPixels.planeIndexes.set(planeIndexes, firstPixelIndex)
    allPixels.along.set(along, firstPixelIndex)
    allPixels.across.set(across, firstPixelIndex)
    let pixelIndex = 0
    for (let distance = 0; distance < startsPerBar; distance++) {
      while (pixelIndex < along.length && (along[pixelIndex] ?? 0) + marginPx < distance) pixelIndex++
      startIndexes[barIndex * startsPerBar + distance] = firstPixelIndex + pixelIndex
    }
    firstPixelIndex += planeIndexes.length
  }
  return { stepPx, ...allPixels, starts: startIndexes, startsPerBar, margin: marginPx }
}
