import type { LoopRange, Peaks } from './use-maker.ts'
import { computeColumns, type VisibleRange } from './wave-view.ts'

/**
 * Paints a waveform as bars of `barPx` CSS pixels with gaps of one pixel. The colours are custom properties of the canvas: `--played`,
 * `--coming` for the part that is not played yet, and `--outside` for the part outside of the loop.
 */
export function createWaveformPainter(canvas: HTMLCanvasElement, barPx: number) {
  const context = canvas.getContext('2d')
  const barPitchPx = barPx + 1
  let columnPeaks: Float32Array = new Float32Array()
  let colourByPart = { played: '', coming: '', outside: '' }
  let shownWave: Parameters<WavePainter['show']>[0] | undefined
  let playHeadS = 0

  const findColumnAt = (sourceTimeS: number) => {
    const { startS, endS } = shownWave?.view ?? { startS: 0, endS: 1 }
    return ((sourceTimeS - startS) / (endS - startS)) * (columnPeaks.length / 2)
  }

  function paintBars(fromColumn: number, toColumn: number): void {
    if (!context || !shownWave) return
    const pixelRatio = devicePixelRatio
    const middleY = canvas.height / 2
    const { startS, endS } = shownWave.view
    const columnCount = columnPeaks.length / 2
    const { on, startS: loopFromS, endS: loopToS } = shownWave.loop
    const firstBar = Math.max(0, Math.floor(fromColumn))
    const lastColumn = Math.min(columnCount - 1, Math.ceil(toColumn))
    context.clearRect(firstBar * barPitchPx * pixelRatio, 0, (lastColumn - firstBar + 1) * barPitchPx * pixelRatio, canvas.height)
    for (let columnIndex = firstBar; columnIndex <= lastColumn; columnIndex++) {
      const columnTimeS = startS + ((columnIndex + 0.5) / columnCount) * (endS - startS)
      context.fillStyle =
        on && (columnTimeS < loopFromS || columnTimeS > loopToS)
          ? colourByPart.outside
          : columnTimeS <= playHeadS
            ? colourByPart.played
            : colourByPart.coming
      const highSample = Math.min(1, columnPeaks[2 * columnIndex + 1] ?? 0)
      const lowSample = Math.max(-1, columnPeaks[2 * columnIndex] ?? 0)
      const top = middleY * (1 - 0.96 * highSample)
      const height = Math.max(pixelRatio, middleY * 0.96 * (highSample - lowSample))
      context.fillRect(Math.round(columnIndex * barPitchPx * pixelRatio), top, Math.round(barPx * pixelRatio), height)
    }
  }

  return {
    /** Redraws the whole waveform, after a change of size, view or loop. `width` and `height` are those of the canvas in CSS pixels. */
    show(wave: { peaks: Peaks; sampleRate: number; view: VisibleRange; loop: LoopRange; width: number; height: number }) {
      const canvasWidth = Math.round(wave.width * devicePixelRatio)
      const canvasHeight = Math.round(wave.height * devicePixelRatio)
      if (canvas.width !== canvasWidth || canvas.height !== canvasHeight)
        Object.assign(canvas, { width: canvasWidth, height: canvasHeight })
      const style = getComputedStyle(canvas)
      const readColour = (name: string) => style.getPropertyValue(name).trim()
      colourByPart = { played: readColour('--played'), coming: readColour('--coming'), outside: readColour('--outside') }
      columnPeaks = computeColumns(wave.peaks, wave.sampleRate, wave.view, Math.max(1, Math.floor(wave.width / barPitchPx)))
      shownWave = wave
      context?.clearRect(0, 0, canvasWidth, canvasHeight)
      paintBars(0, columnPeaks.length / 2)
    },
    /** Moves the play head, and redraws only the bars that it passed. */
    moveHead(sourceTimeS: number) {
      const fromColumn = findColumnAt(Math.min(playHeadS, sourceTimeS))
      const toColumn = findColumnAt(Math.max(playHeadS, sourceTimeS))
      playHeadS = sourceTimeS
      paintBars(fromColumn - 1, toColumn + 1)
    },
  }
}

type WavePainter = ReturnType<typeof createWaveformPainter>
