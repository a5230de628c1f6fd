import type { LoopRange, Peaks } from './use-maker.ts'
import { computeColumns, type VisibleRange } from './wave-view.ts'

/**
 * Paints a waveform as bars of `barPx` CSS pixels with gaps of one pixel. The colours are custom properties of the canvas: `--played`,
 * `--coming` for the part that is not played yet, and `--outside` for the part outside of the loop.
 */
export function createWaveformPainter(canvas: HTMLCanvasElement, barPx: number) {
  const context = canvas.getContext('2d')
  const barPitchPx = barPx + 1
  let columns: Float32Array = new Float32Array()
  let colours = { played: '', coming: '', outside: '' }
  let shownWave: Parameters<WavePainter['show']>[0] | undefined
  let headS = 0

  const columnAt = (sourceS: number) => {
    const { startS, endS } = shownWave?.view ?? { startS: 0, endS: 1 }
    return ((sourceS - startS) / (endS - startS)) * (columns.length / 2)
  }

  function paintBars(fromColumn: number, toColumn: number): void {
    if (!context || !shownWave) return
    const scale = devicePixelRatio
    const middleY = canvas.height / 2
    const { startS, endS } = shownWave.view
    const columnCount = columns.length / 2
    const { on, startS: loopFromS, endS: loopToS } = shownWave.loop
    const firstBar = Math.max(0, Math.floor(fromColumn))
    const lastColumn = Math.min(columnCount - 1, Math.ceil(toColumn))
    context.clearRect(firstBar * barPitchPx * scale, 0, (lastColumn - firstBar + 1) * barPitchPx * scale, canvas.height)
    for (let column = firstBar; column <= lastColumn; column++) {
      const atS = startS + ((column + 0.5) / columnCount) * (endS - startS)
      context.fillStyle = on && (atS < loopFromS || atS > loopToS) ? colours.outside : atS <= headS ? colours.played : colours.coming
      const highSample = Math.min(1, columns[2 * column + 1] ?? 0)
      const lowSample = Math.max(-1, columns[2 * column] ?? 0)
      const top = middleY * (1 - 0.96 * highSample)
      const height = Math.max(scale, middleY * 0.96 * (highSample - lowSample))
      context.fillRect(Math.round(column * barPitchPx * scale), top, Math.round(barPx * scale), height)
    }
  }

  return {
    /** Redraws the whole waveform, after a change of size, view or loop. `width` and `height` are those of the canvas in CSS pixels. */
    show(wave: { peaks: Peaks; sampleRate: number; view: VisibleRange; loop: LoopRange; width: number; height: number }) {
      const width = Math.round(wave.width * devicePixelRatio)
      const height = Math.round(wave.height * devicePixelRatio)
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
      const style = getComputedStyle(canvas)
      const readColour = (name: string) => style.getPropertyValue(name).trim()
      colours = { played: readColour('--played'), coming: readColour('--coming'), outside: readColour('--outside') }
      columns = computeColumns(wave.peaks, wave.sampleRate, wave.view, Math.max(1, Math.floor(wave.width / barPitchPx)))
      shownWave = wave
      context?.clearRect(0, 0, width, height)
      paintBars(0, columns.length / 2)
    },
    /** Moves the play head, and redraws only the bars that it passed. */
    moveHead(sourceS: number) {
      const fromColumn = columnAt(Math.min(headS, sourceS))
      const toColumn = columnAt(Math.max(headS, sourceS))
      headS = sourceS
      paintBars(fromColumn - 1, toColumn + 1)
    },
  }
}

type WavePainter = ReturnType<typeof createWaveformPainter>
