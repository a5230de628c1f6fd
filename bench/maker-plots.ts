import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { createComplexArray, fft } from '../dsp/fft.ts'
import { measureTone, type ToneLevels } from './maker-judge.ts'
import { listPeers, type PeerResampler, SAMPLE_RATE } from './maker-peers.ts'

const RESAMPLING_RATE = 1.25
const PLOT_COLOURS = { ground: '#0d0a14', line: '#3a3150', text: '#d9d2e6' }
const CURVE_COLOURS = ['#ff4fcb', '#2fe3ff', '#ffc24f', '#8bd17c', '#9a8cff']
const FONT_STYLE = 'font-family="DejaVu Sans, sans-serif"'

/** Writes the plots of `docs/maker.md`: the same tones and the same sweep at rate 1.25, resampled by each program. */
export async function plotMaker(folderPath: string): Promise<void> {
  await mkdir(folderPath, { recursive: true })
  const testedPeers = listPeers()
  await writeFile(join(folderPath, 'tones.svg'), await plotTones(testedPeers))
  await sharp(Buffer.from(await plotSweeps(testedPeers)))
    .png({ palette: true, colours: 64 })
    .toFile(join(folderPath, 'sweep.png'))
}

const TONE_FRAMES = 20_000
const frequenciesHz = Array.from({ length: 105 }, (_, index) => 400 + index * 200)

/** Synthesizes the test tones one after the other, each with a fade-in and a fade-out. */
function synthesizeTones(): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: frequenciesHz.length * TONE_FRAMES }, (_, frame) => {
    const toneHz = frequenciesHz[Math.floor(frame / TONE_FRAMES)] ?? 0
    const frameInTone = frame % TONE_FRAMES
    const edge = Math.min(1, frameInTone / 2000, (TONE_FRAMES - frameInTone) / 2000)
    return 0.5 * edge * Math.sin((2 * Math.PI * toneHz * frame) / SAMPLE_RATE)
  })
}

/** Measures the middle of a tone, which the neighbouring tones do not affect. */
const measureMiddle = (outputSamples: Float32Array, index: number): ToneLevels =>
  measureTone(outputSamples, {
    firstFrame: Math.round(((index + 0.3) * TONE_FRAMES) / RESAMPLING_RATE),
    frames: Math.round((0.4 * TONE_FRAMES) / RESAMPLING_RATE),
    hz: frequenciesHz[index] ?? 0,
    rate: RESAMPLING_RATE,
    amplitude: 0.5,
  })

async function plotTones(candidates: readonly PeerResampler[]): Promise<string> {
  const toneSamples = synthesizeTones()
  const levelsByResampler: ToneLevels[][] = []
  for (const candidate of candidates) {
    const output = await candidate.changeRate(toneSamples, RESAMPLING_RATE)
    levelsByResampler.push(frequenciesHz.map((_, index) => measureMiddle(output, index)))
  }
  const [width, height, leftPx, topPx] = [900, 360, 60, 40]
  const toX = (hz: number) => leftPx + ((width - leftPx - 20) * hz) / 22_050
  const drawPanel = (
    chartTop: number,
    chartTitle: string,
    fromDb: number,
    toDb: number,
    stepDb: number,
    pickLevel: (levels: ToneLevels) => number,
  ) => {
    const toY = (db: number) => chartTop + topPx + ((height - topPx - 40) * (toDb - Math.min(toDb, Math.max(fromDb, db)))) / (toDb - fromDb)
    const gridLevelsDb = Array.from({ length: Math.round((toDb - fromDb) / stepDb) + 1 }, (_, index) => fromDb + index * stepDb)
      .map(
        (db) =>
          `<path d="M${leftPx} ${toY(db)}H${width - 20}"/><text x="${leftPx - 8}" y="${toY(db) + 4}" text-anchor="end" stroke="none">${db}</text>`,
      )
      .join('')
    const frequencyLabels = [0, 5, 10, 15, 20]
      .map((khz) => `<text x="${toX(khz * 1000)}" y="${chartTop + height - 18}" text-anchor="middle">${khz} kHz</text>`)
      .join('')
    const nyquistX = toX(22_050 / RESAMPLING_RATE)
    const polylines = levelsByResampler
      .map((curve, index) => {
        const polylinePoints = curve
          .map((levels, toneIndex) => `${toX(frequenciesHz[toneIndex] ?? 0).toFixed(1)},${toY(pickLevel(levels)).toFixed(1)}`)
          .join(' ')
        return `<polyline points="${polylinePoints}" fill="none" stroke="${CURVE_COLOURS[index % CURVE_COLOURS.length]}" stroke-width="2"/>`
      })
      .join('')
    return `<g stroke="${PLOT_COLOURS.line}" fill="${PLOT_COLOURS.text}" ${FONT_STYLE} font-size="12"><g stroke-width="1">${gridLevelsDb}</g><path d="M${nyquistX} ${chartTop + topPx}V${chartTop + height - 40}" stroke-dasharray="4 4"/><g stroke="none"><text x="${leftPx}" y="${chartTop + 24}" font-size="15">${chartTitle}</text>${frequencyLabels}<text x="${nyquistX - 6}" y="${chartTop + topPx + 14}" text-anchor="end">above this, it must vanish</text></g></g>${polylines}`
  }
  const legendSvg = candidates
    .map(
      ({ resamplerName: name }, index) =>
        `<g transform="translate(${leftPx + index * 155} ${2 * height + 18})"><path d="M0 0h22" stroke="${CURVE_COLOURS[index % CURVE_COLOURS.length]}" stroke-width="3"/><text x="28" y="4" fill="${PLOT_COLOURS.text}" ${FONT_STYLE} font-size="12">${name}</text></g>`,
    )
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${2 * height + 40}" width="${width}" height="${2 * height + 40}"><title>Tones at rate 1.25, as each program changes them</title><rect width="100%" height="100%" fill="${PLOT_COLOURS.ground}"/>${drawPanel(0, 'The tone itself, in dB of what went in', -12, 3, 3, ({ toneDb }) => toneDb)}${drawPanel(height, 'All that is not the tone: noise and aliases, in dB of what went in', -160, 0, 20, ({ residualDb }) => residualDb)}${legendSvg}</svg>\n`
}

const FFT_FRAMES = 1024
const PLOT_FLOOR_DB = -150

/** Synthesizes a linear sweep from 0 Hz to half the sampling rate. */
function synthesizeSweep(durationS: number): Float32Array<ArrayBuffer> {
  const frames = durationS * SAMPLE_RATE
  return Float32Array.from({ length: frames }, (_, frame) => 0.5 * Math.sin((Math.PI / 2) * frame * (frame / frames)))
}

/** Returns an RGB image of the levels over time and frequency, with the highest frequency in the first row. */
function drawSpectrogram(samples: Float32Array, columnCount: number, rowCount: number): Uint8Array {
  const rgbBytes = new Uint8Array(columnCount * rowCount * 3)
  // The four-term Blackman-Harris window (1978) has side lobes of -92 dB; two of them convolved, of -180 dB.
  const fftWindow = Float64Array.from({ length: FFT_FRAMES }, (_, sampleIndex) => {
    const t = (2 * Math.PI * sampleIndex) / FFT_FRAMES
    return (0.35875 - 0.48829 * Math.cos(t) + 0.14128 * Math.cos(2 * t) - 0.01168 * Math.cos(3 * t)) ** 2
  })
  const windowGain = fftWindow.reduce((sum, value) => sum + value, 0)
  for (let columnIndex = 0; columnIndex < columnCount; columnIndex++) {
    const startFrame = Math.floor((columnIndex / columnCount) * (samples.length - FFT_FRAMES))
    const spectrum = createComplexArray(FFT_FRAMES)
    for (let n = 0; n < FFT_FRAMES; n++) spectrum.re[n] = (samples[startFrame + n] ?? 0) * (fftWindow[n] ?? 0)
    fft(spectrum)
    for (let rowIndex = 0; rowIndex < rowCount; rowIndex++) {
      const fromBin = Math.floor(((rowCount - 1 - rowIndex) / rowCount) * (FFT_FRAMES / 2))
      const toBin = Math.max(fromBin + 1, Math.floor(((rowCount - rowIndex) / rowCount) * (FFT_FRAMES / 2)))
      let maxPower = 0
      for (let bin = fromBin; bin < toBin; bin++) maxPower = Math.max(maxPower, Math.hypot(spectrum.re[bin] ?? 0, spectrum.im[bin] ?? 0))
      const db = 20 * Math.log10(Math.max(1e-12, (4 * maxPower) / windowGain))
      rgbBytes.set(toHeatColour(Math.min(1, Math.max(0, 1 - db / PLOT_FLOOR_DB))), 3 * (rowIndex * columnCount + columnIndex))
    }
  }
  return rgbBytes
}

/** Maps a level from 0 to 1 to an RGB colour from dark over violet and magenta to white. */
function toHeatColour(levelShare: number): [number, number, number] {
  const colourStops = [
    [13, 10, 20],
    [58, 28, 120],
    [255, 79, 203],
    [255, 244, 250],
  ] as const
  const stopPosition = levelShare * (colourStops.length - 1)
  const index = Math.min(colourStops.length - 2, Math.floor(stopPosition))
  const [from, to] = [colourStops[index] ?? colourStops[0], colourStops[index + 1] ?? colourStops[0]]
  const mixChannel = (channel: 0 | 1 | 2) => Math.round(from[channel] + (to[channel] - from[channel]) * (stopPosition - index))
  return [mixChannel(0), mixChannel(1), mixChannel(2)]
}

async function plotSweeps(candidates: readonly PeerResampler[]): Promise<string> {
  const sweepSamples = synthesizeSweep(8)
  const [width, height, topPx] = [420, 260, 34]
  const columnCount = 3
  const svgPanels: string[] = []
  for (const [index, testedPeer] of candidates.entries()) {
    const rgbPixels = drawSpectrogram(await testedPeer.changeRate(sweepSamples, RESAMPLING_RATE), width, height)
    const png = await sharp(rgbPixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
    const [x, y] = [12 + (index % columnCount) * (width + 12), topPx + Math.floor(index / columnCount) * (height + topPx + 8)]
    svgPanels.push(
      `<text x="${x}" y="${y - 10}" fill="${PLOT_COLOURS.text}" ${FONT_STYLE} font-size="15">${testedPeer.resamplerName}</text><image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`,
    )
  }
  const rowCount = Math.ceil(candidates.length / columnCount)
  const [fullWidth, fullHeight] = [12 + columnCount * (width + 12), rowCount * (height + topPx + 8) + 8]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" width="${fullWidth}" height="${fullHeight}"><rect width="100%" height="100%" fill="${PLOT_COLOURS.ground}"/>${svgPanels.join('')}</svg>`
}
