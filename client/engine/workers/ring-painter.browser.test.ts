import { expect, it } from 'vitest'
import { computeRingShape, paintForeground, RING_BARS_PER_HALF, type Scene, SILENT_VISUALIZER_DATA } from '../video/frame-painter.ts'
import { toPlanarPicture } from './planar-picture.ts'
import { createRingPainter } from './ring-painter.ts'

const WIDTH = 1080
const HEIGHT = 1080

function createTextLayer(): ImageBitmap {
  const canvas = new OffscreenCanvas(WIDTH, 400)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.fillStyle = 'rgba(0, 0, 0, 0.6)'
  context.fillRect(0, 100, WIDTH, 300)
  return canvas.transferToImageBitmap()
}

it('ring: bars drawn directly into the planes of YUV pictures look like bars drawn on a canvas', () => {
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT)
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  if (context === null) throw new Error('no canvas')
  const videoStyle = { accent: '#ff4fcb', secondAccent: '#2fe3ff', shade: '#09060f' }
  const scene: Scene = { width: WIDTH, height: HEIGHT, overlay: 'ring', style: videoStyle, textLayer: createTextLayer() }
  const paintPlanes = (paintFrame: () => void) => {
    const gradient = context.createLinearGradient(0, 0, WIDTH, HEIGHT)
    gradient.addColorStop(0, '#204060')
    gradient.addColorStop(1, '#102010')
    context.fillStyle = gradient
    context.fillRect(0, 0, WIDTH, HEIGHT)
    paintFrame()
    return toPlanarPicture(context.getImageData(0, 0, WIDTH, HEIGHT))
  }
  const foregroundPicture = paintPlanes(() => paintForeground(context, scene, SILENT_VISUALIZER_DATA))
  const coveredPicture = paintPlanes(() => {
    context.fillStyle = videoStyle.accent
    context.fillRect(0, 0, WIDTH, HEIGHT)
    paintForeground(context, { ...scene, overlay: 'none' }, SILENT_VISUALIZER_DATA)
  })
  const ringPainter = createRingPainter(computeRingShape(scene, RING_BARS_PER_HALF), RING_BARS_PER_HALF, foregroundPicture, coveredPicture)
  const createBandsAt = (picture: number) =>
    Array.from({ length: RING_BARS_PER_HALF }, (_, band) => Math.abs(Math.sin(band * 1.7 + picture)))
  for (const pictureIndex of [0, 1, 2, 3]) {
    const bandLevels = createBandsAt(pictureIndex)
    const paintedPicture = ringPainter.paint(bandLevels)
    const expectedPicture = paintPlanes(() => paintForeground(context, scene, { bands: bandLevels, samples: [] }))
    let largestDifference = 0
    let differenceSum = 0
    for (let byteIndex = 0; byteIndex < expectedPicture.planes.length; byteIndex++) {
      const difference = Math.abs((expectedPicture.planes[byteIndex] ?? 0) - (paintedPicture.planes[byteIndex] ?? 0))
      largestDifference = Math.max(largestDifference, difference)
      differenceSum += difference
    }
    // A small difference is allowed, because the soft edges of the bars differ a little.
    expect(largestDifference).toBeLessThan(50)
    expect(differenceSum / expectedPicture.planes.length).toBeLessThan(0.1)
  }
})

it('planar picture: white, black and red have the values of BT.709', () => {
  const context = new OffscreenCanvas(6, 2).getContext('2d')
  if (context === null) throw new Error('no canvas')
  for (const [index, colour] of ['#fff', '#000', '#f00'].entries()) {
    context.fillStyle = colour
    context.fillRect(2 * index, 0, 2, 2)
  }
  const { planes } = toPlanarPicture(context.getImageData(0, 0, 6, 2))
  expect([...planes]).toEqual([235, 235, 16, 16, 63, 63, 235, 235, 16, 16, 63, 63, 128, 128, 102, 128, 128, 240])
})
