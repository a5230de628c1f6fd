import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeColumns, computeTickTimes, formatClock, moveView, zoomView } from './wave-view.ts'

const createAnySecondsUpTo = (max: number) => fc.double({ min: 0, max, noNaN: true })

describe('view of the waveform', () => {
  it('view of the waveform: moving and zooming keep the view within the sound', () => {
    fc.assert(
      fc.property(
        createAnySecondsUpTo(100),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        createAnySecondsUpTo(100),
        (startS, zoomFactor, aroundS) => {
          const view = zoomView(moveView(startS, 10, 100), zoomFactor, aroundS, 100)
          expect(view.startS).toBeGreaterThanOrEqual(0)
          expect(view.endS).toBeLessThanOrEqual(100 + 1e-9)
          expect(view.endS).toBeGreaterThan(view.startS)
        },
      ),
    )
  })

  it('view of the waveform: zooming keeps the time under the pointer in its place', () => {
    const view = zoomView({ startS: 20, endS: 60 }, 0.5, 30, 100)
    expect(view).toEqual({ startS: 25, endS: 45 })
  })

  it('view of the waveform: a sound that is shorter than the shortest view is shown completely', () => {
    expect(zoomView({ startS: 0, endS: 0.1 }, 0.5, 0.05, 0.1)).toEqual({ startS: 0, endS: 0.1 })
  })
})

describe('columns of the waveform', () => {
  const peaks = { framesPerPeak: 100, values: Float32Array.of(-0.1, 0.2, -0.3, 0.1, 0, 0, -0.5, 0.9) }

  it('columns of the waveform: a column has the extremes of all peaks that it covers', () => {
    const columns = computeColumns(peaks, 100, { startS: 0, endS: 4 }, 2)
    expect([...columns].map((value) => Number(value.toFixed(3)))).toEqual([-0.3, 0.2, -0.5, 0.9])
  })

  it('columns of the waveform: columns narrower than a peak repeat it, and columns after the end of the sound are silent', () => {
    expect([...computeColumns(peaks, 100, { startS: 3, endS: 4 }, 3)].map((value) => Number(value.toFixed(3)))).toEqual([
      -0.5, 0.9, -0.5, 0.9, -0.5, 0.9,
    ])
    expect([...computeColumns({ framesPerPeak: 100, values: new Float32Array() }, 100, { startS: 0, endS: 1 }, 1)]).toEqual([0, 0])
  })
})

it('computeTickTimes: the ticks are at round times of the playback, whatever its rate', () => {
  expect(computeTickTimes({ startS: 0, endS: 100 }, 1, 10)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  expect(computeTickTimes({ startS: 50, endS: 100 }, 2, 6)).toEqual([25, 30, 35, 40, 45, 50])
})

it('formatClock: times are shown as minutes, seconds and hundredths', () => {
  expect([0, 66.24, 66.249, 3905.5, 59.999].map(formatClock)).toEqual(['0:00.00', '1:06.24', '1:06.24', '1:05:05.50', '0:59.99'])
})
