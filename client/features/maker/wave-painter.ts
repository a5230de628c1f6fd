import type { LoopRange, Peaks } from '../../bindings/maker.ts'
import { columnsOf, type View } from './wave-view.ts'

interface WavePainter {
  /** Draws all anew: for another size, view or loop. */
  show(wave: { peaks: Peaks; sampleRate: number; view: View; loop: LoopRange }): void
  /** Moves the play head: draws only what it passed. */
  move(sourceS: number): void
}

/**
 * Paints a wave as bars of `barPx` with gaps of 1, in CSS pixels: lit where it has been played, dim outside the loop. The canvas' own style says the
 * colours: `--played`, `--coming`, `--outside`.
 */
export function createWavePainter(canvas: HTMLCanvasElement, barPx: number): WavePainter {
  const context = canvas.getContext('2d')
  const pitchPx = barPx + 1
  let columns: Float32Array = new Float32Array()
  let colours = { played: '', coming: '', outside: '' }
  let shown: Parameters<WavePainter['show']>[0] | undefined
  let headS = 0

  const columnAt = (sourceS: number) => {
    const { startS, endS } = shown?.view ?? { startS: 0, endS: 1 }
    return ((sourceS - startS) / (endS - startS)) * (columns.length / 2)
  }

  function paint(from: number, to: number): void {
    if (!context || !shown) return
    const scale = devicePixelRatio
    const middle = canvas.height / 2
    const { startS, endS } = shown.view
    const count = columns.length / 2
    const { on, startS: loopFromS, endS: loopToS } = shown.loop
    const first = Math.max(0, Math.floor(from))
    const last = Math.min(count - 1, Math.ceil(to))
    context.clearRect(first * pitchPx * scale, 0, (last - first + 1) * pitchPx * scale, canvas.height)
    for (let column = first; column <= last; column++) {
      const atS = startS + ((column + 0.5) / count) * (endS - startS)
      context.fillStyle = on && (atS < loopFromS || atS > loopToS) ? colours.outside : atS <= headS ? colours.played : colours.coming
      const high = Math.min(1, columns[2 * column + 1] ?? 0)
      const low = Math.max(-1, columns[2 * column] ?? 0)
      const top = middle * (1 - 0.96 * high)
      const height = Math.max(scale, middle * 0.96 * (high - low))
      context.fillRect(Math.round(column * pitchPx * scale), top, Math.round(barPx * scale), height)
    }
  }

  return {
    show(wave) {
      const { clientWidth, clientHeight } = canvas
      const width = Math.round(clientWidth * devicePixelRatio)
      const height = Math.round(clientHeight * devicePixelRatio)
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
      const style = getComputedStyle(canvas)
      const colour = (name: string) => style.getPropertyValue(name).trim()
      colours = { played: colour('--played'), coming: colour('--coming'), outside: colour('--outside') }
      columns = columnsOf(wave.peaks, wave.sampleRate, wave.view, Math.max(1, Math.floor(clientWidth / pitchPx)))
      shown = wave
      context?.clearRect(0, 0, width, height)
      paint(0, columns.length / 2)
    },
    move(sourceS) {
      const from = columnAt(Math.min(headS, sourceS))
      const to = columnAt(Math.max(headS, sourceS))
      headS = sourceS
      paint(from - 1, to + 1)
    },
  }
}
