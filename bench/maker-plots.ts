import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { complex, fft } from '../dsp/fft.ts'
import { type Judged, judgeTone } from './maker-judge.ts'
import { type Peer, peers, SAMPLE_RATE } from './maker-peers.ts'

const RATE = 1.25
const INK = { ground: '#0d0a14', line: '#3a3150', text: '#d9d2e6' }
const COLOURS = ['#ff4fcb', '#2fe3ff', '#ffc24f', '#8bd17c', '#9a8cff']
const FONT = 'font-family="DejaVu Sans, sans-serif"'

/** Writes the plots of `docs/maker.md`: what each makes of the same tones and of the same sweep at rate 1.25. */
export async function plotMaker(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const candidates = peers()
  await writeFile(join(folder, 'tones.svg'), await plotTones(candidates))
  await sharp(Buffer.from(await plotSweeps(candidates)))
    .png({ palette: true, colours: 64 })
    .toFile(join(folder, 'sweep.png'))
}

const TONE_FRAMES = 20_000
const frequencies = Array.from({ length: 105 }, (_, index) => 400 + index * 200)

/** One tone after the other, each with soft ends. */
function tones(): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: frequencies.length * TONE_FRAMES }, (_, frame) => {
    const hz = frequencies[Math.floor(frame / TONE_FRAMES)] ?? 0
    const within = frame % TONE_FRAMES
    const edge = Math.min(1, within / 2000, (TONE_FRAMES - within) / 2000)
    return 0.5 * edge * Math.sin((2 * Math.PI * hz * frame) / SAMPLE_RATE)
  })
}

/** Of the middle of a tone, where nothing of its neighbours is left. */
const judge = (output: Float32Array, index: number): Judged =>
  judgeTone(output, {
    firstFrame: Math.round(((index + 0.3) * TONE_FRAMES) / RATE),
    frames: Math.round((0.4 * TONE_FRAMES) / RATE),
    hz: frequencies[index] ?? 0,
    rate: RATE,
    amplitude: 0.5,
  })

async function plotTones(candidates: readonly Peer[]): Promise<string> {
  const input = tones()
  const curves: Judged[][] = []
  for (const candidate of candidates) {
    const output = await candidate.change(input, RATE)
    curves.push(frequencies.map((_, index) => judge(output, index)))
  }
  const [width, height, left, top] = [900, 360, 60, 40]
  const x = (hz: number) => left + ((width - left - 20) * hz) / 22_050
  const panel = (at: number, title: string, fromDb: number, toDb: number, step: number, pick: (judged: Judged) => number) => {
    const y = (db: number) => at + top + ((height - top - 40) * (toDb - Math.min(toDb, Math.max(fromDb, db)))) / (toDb - fromDb)
    const grid = Array.from({ length: Math.round((toDb - fromDb) / step) + 1 }, (_, index) => fromDb + index * step)
      .map(
        (db) =>
          `<path d="M${left} ${y(db)}H${width - 20}"/><text x="${left - 8}" y="${y(db) + 4}" text-anchor="end" stroke="none">${db}</text>`,
      )
      .join('')
    const scale = [0, 5, 10, 15, 20]
      .map((khz) => `<text x="${x(khz * 1000)}" y="${at + height - 18}" text-anchor="middle">${khz} kHz</text>`)
      .join('')
    const limit = x(22_050 / RATE)
    const lines = curves
      .map((curve, index) => {
        const points = curve.map((judged, tone) => `${x(frequencies[tone] ?? 0).toFixed(1)},${y(pick(judged)).toFixed(1)}`).join(' ')
        return `<polyline points="${points}" fill="none" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="2"/>`
      })
      .join('')
    return `<g stroke="${INK.line}" fill="${INK.text}" ${FONT} font-size="12"><g stroke-width="1">${grid}</g><path d="M${limit} ${at + top}V${at + height - 40}" stroke-dasharray="4 4"/><g stroke="none"><text x="${left}" y="${at + 24}" font-size="15">${title}</text>${scale}<text x="${limit - 6}" y="${at + top + 14}" text-anchor="end">above this, it must vanish</text></g></g>${lines}`
  }
  const legend = candidates
    .map(
      ({ name }, index) =>
        `<g transform="translate(${left + index * 155} ${2 * height + 18})"><path d="M0 0h22" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="3"/><text x="28" y="4" fill="${INK.text}" ${FONT} font-size="12">${name}</text></g>`,
    )
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${2 * height + 40}" width="${width}" height="${2 * height + 40}"><title>Tones at rate 1.25, as each program changes them</title><rect width="100%" height="100%" fill="${INK.ground}"/>${panel(0, 'The tone itself, in dB of what went in', -12, 3, 3, ({ toneDb }) => toneDb)}${panel(height, 'All that is not the tone: noise and aliases, in dB of what went in', -160, 0, 20, ({ restDb }) => restDb)}${legend}</svg>\n`
}

const FFT_FRAMES = 1024
const FLOOR_DB = -150

/** From 0 Hz to half the sampling rate in `seconds`. */
function sweep(seconds: number): Float32Array<ArrayBuffer> {
  const frames = seconds * SAMPLE_RATE
  return Float32Array.from({ length: frames }, (_, frame) => 0.5 * Math.sin((Math.PI / 2) * frame * (frame / frames)))
}

/** Levels over time and frequency: a row for each frequency, highest first. */
function spectrogram(samples: Float32Array, columns: number, rows: number): Uint8Array {
  const image = new Uint8Array(columns * rows * 3)
  // Blackman and Harris 1978, four terms: what leaks stays 92 dB down; two of them one after the other, 180 dB.
  const window = Float64Array.from({ length: FFT_FRAMES }, (_, n) => {
    const t = (2 * Math.PI * n) / FFT_FRAMES
    return (0.35875 - 0.48829 * Math.cos(t) + 0.14128 * Math.cos(2 * t) - 0.01168 * Math.cos(3 * t)) ** 2
  })
  const gain = window.reduce((sum, value) => sum + value, 0)
  for (let column = 0; column < columns; column++) {
    const start = Math.floor((column / columns) * (samples.length - FFT_FRAMES))
    const spectrum = complex(FFT_FRAMES)
    for (let n = 0; n < FFT_FRAMES; n++) spectrum.re[n] = (samples[start + n] ?? 0) * (window[n] ?? 0)
    fft(spectrum)
    for (let row = 0; row < rows; row++) {
      const from = Math.floor(((rows - 1 - row) / rows) * (FFT_FRAMES / 2))
      const to = Math.max(from + 1, Math.floor(((rows - row) / rows) * (FFT_FRAMES / 2)))
      let most = 0
      for (let bin = from; bin < to; bin++) most = Math.max(most, Math.hypot(spectrum.re[bin] ?? 0, spectrum.im[bin] ?? 0))
      const db = 20 * Math.log10(Math.max(1e-12, (4 * most) / gain))
      image.set(heat(Math.min(1, Math.max(0, 1 - db / FLOOR_DB))), 3 * (row * columns + column))
    }
  }
  return image
}

/** Dark to violet to magenta to white. */
function heat(level: number): [number, number, number] {
  const stops = [
    [13, 10, 20],
    [58, 28, 120],
    [255, 79, 203],
    [255, 244, 250],
  ] as const
  const at = level * (stops.length - 1)
  const index = Math.min(stops.length - 2, Math.floor(at))
  const [from, to] = [stops[index] ?? stops[0], stops[index + 1] ?? stops[0]]
  const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + (to[channel] - from[channel]) * (at - index))
  return [mix(0), mix(1), mix(2)]
}

async function plotSweeps(candidates: readonly Peer[]): Promise<string> {
  const input = sweep(8)
  const [width, height, top] = [420, 260, 34]
  const across = 3
  const panels: string[] = []
  for (const [index, candidate] of candidates.entries()) {
    const image = spectrogram(await candidate.change(input, RATE), width, height)
    const png = await sharp(image, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
    const [x, y] = [12 + (index % across) * (width + 12), top + Math.floor(index / across) * (height + top + 8)]
    panels.push(
      `<text x="${x}" y="${y - 10}" fill="${INK.text}" ${FONT} font-size="15">${candidate.name}</text><image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`,
    )
  }
  const rows = Math.ceil(candidates.length / across)
  const [fullWidth, fullHeight] = [12 + across * (width + 12), rows * (height + top + 8) + 8]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" width="${fullWidth}" height="${fullHeight}"><rect width="100%" height="100%" fill="${INK.ground}"/>${panels.join('')}</svg>`
}
