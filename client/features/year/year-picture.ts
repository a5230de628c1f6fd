import { type CanvasFont, readBrandFont, readBrandTokens, readTextFont } from '../../ui/brand-canvas.ts'
import { formatCount, formatPlural, MONTH_NAMES } from '../../ui/format.ts'
import type { YearSummary } from './year-summary.ts'

/** The size of the picture in pixels: the tallest format that the feeds of social networks show without cropping. */
export const PICTURE_WIDTH = 1080
export const PICTURE_HEIGHT = 1350

const MARGIN_PX = 84
const FADE_BOTTOM_PX = 560
const INNER_WIDTH = PICTURE_WIDTH - 2 * MARGIN_PX
const DRAWN_SONG_COUNT = 5
const SONG_LINE_HEIGHT_PX = 74
const BARS_BOTTOM_PX = 1212
const BAR_HEIGHT = 118

interface DrawnYear {
  year: string
  summary: YearSummary
  name: string
  domain: string
}

interface TextStyle {
  font: CanvasFont
  size: number
  colour: string
  align?: CanvasTextAlign
  maxWidth?: number
}

const fontText = ({ weight, stretch, family }: CanvasFont, size: number) => `${weight} ${stretch} ${size}px ${family}`

/** Resolves once the brand's fonts can be drawn, or have failed to load. */
export async function loadYearFonts(): Promise<void> {
  const fonts = [readBrandFont('display'), readBrandFont('mono', '300'), readBrandFont('mono', '400')]
  await Promise.allSettled(fonts.map((font) => document.fonts.load(fontText(font, 40))))
}

/** Draws the picture of a year in the brand's fonts and colours. */
export function drawYear(canvas: HTMLCanvasElement, { year, summary, name, domain }: DrawnYear): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const token = readBrandTokens()
  const display = readBrandFont('display')
  const mono = readBrandFont('mono', '400')
  const lightFont = readBrandFont('mono', '300')
  const text = token('text')
  const muted = token('muted')

  context.reset()
  context.fillStyle = token('surface-0')
  context.fillRect(0, 0, PICTURE_WIDTH, PICTURE_HEIGHT)
  drawRings(context, token)
  // The rings fade into a plain colour, which is the background of the texts below the year.
  const fade = context.createLinearGradient(0, 0, 0, FADE_BOTTOM_PX)
  fade.addColorStop(0, 'transparent')
  fade.addColorStop(1, token('surface-0'))
  context.fillStyle = fade
  context.fillRect(0, 0, PICTURE_WIDTH, FADE_BOTTOM_PX)
  context.fillStyle = token('surface-0')
  context.fillRect(0, FADE_BOTTOM_PX, PICTURE_WIDTH, PICTURE_HEIGHT - FADE_BOTTOM_PX)

  drawText(context, name, MARGIN_PX, 128, { font: display, size: 44, colour: text, maxWidth: INNER_WIDTH })
  drawText(context, year, MARGIN_PX, 400, { font: display, size: fitSize(context, display, year, 300, INNER_WIDTH), colour: text })

  const minutes = formatCount(summary.minutes)
  const minutesSize = fitSize(context, lightFont, minutes, 140, 560)
  const minutesWidth = drawText(context, minutes, MARGIN_PX, 566, { font: lightFont, size: minutesSize, colour: token('accent') })
  drawText(context, summary.minutes === 1 ? 'minute' : 'minutes', MARGIN_PX + minutesWidth + 24, 566, {
    font: mono,
    size: 34,
    colour: text,
  })
  const facts = [
    formatPlural(summary.songs.length, 'song'),
    formatPlural(summary.artists.length, 'artist'),
    formatPlural(summary.playCount, 'play'),
  ]
  drawText(context, facts.join('  ·  '), MARGIN_PX, 632, { font: mono, size: 32, colour: muted, maxWidth: INNER_WIDTH })

  summary.songs.slice(0, DRAWN_SONG_COUNT).forEach(({ title, artist }, index) => {
    const y = 728 + index * SONG_LINE_HEIGHT_PX
    drawText(context, String(index + 1), MARGIN_PX, y, { font: mono, size: 32, colour: token('accent') })
    drawText(context, title, MARGIN_PX + 60, y, { font: readTextFont('600'), size: 34, colour: text, maxWidth: INNER_WIDTH - 60 })
    drawText(context, artist, MARGIN_PX + 60, y + 32, { font: readTextFont('400'), size: 24, colour: muted, maxWidth: INNER_WIDTH - 60 })
  })

  drawMonths(context, summary, token, mono)
  drawText(context, domain, PICTURE_WIDTH - MARGIN_PX, 1306, {
    font: mono,
    size: 26,
    colour: muted,
    align: 'right',
    maxWidth: 0.75 * INNER_WIDTH,
  })
  drawText(context, 'My year', MARGIN_PX, 1306, { font: mono, size: 26, colour: muted })
}

/** Draws two sets of rings like the grooves of records. The crossings of the rings form a moiré pattern. */
function drawRings(context: CanvasRenderingContext2D, token: (name: string) => string): void {
  context.globalAlpha = 0.5
  for (const [x, y, colour] of [
    [860, 130, token('art-1')],
    [960, 190, token('art-2')],
  ] as const) {
    context.strokeStyle = colour
    context.lineWidth = 5
    for (let radius = 18; radius < 760; radius += 18) {
      context.beginPath()
      context.arc(x, y, radius, 0, 2 * Math.PI)
      context.stroke()
    }
  }
  context.globalAlpha = 1
}

function drawMonths(context: CanvasRenderingContext2D, { months }: YearSummary, token: (name: string) => string, font: CanvasFont): void {
  const step = INNER_WIDTH / months.length
  const longestMs = Math.max(1, ...months.map(({ heardMs }) => heardMs))
  const gradient = context.createLinearGradient(MARGIN_PX, 0, PICTURE_WIDTH - MARGIN_PX, 0)
  gradient.addColorStop(0, token('accent'))
  gradient.addColorStop(1, token('accent-2'))
  months.forEach(({ heardMs }, index) => {
    const x = MARGIN_PX + index * step
    const height = heardMs === 0 ? 3 : Math.max(8, (BAR_HEIGHT * heardMs) / longestMs)
    context.fillStyle = heardMs === 0 ? token('line-2') : gradient
    context.fillRect(x + 8, BARS_BOTTOM_PX - height, step - 16, height)
    drawText(context, MONTH_NAMES[index]?.slice(0, 1) ?? '', x + step / 2, BARS_BOTTOM_PX + 36, {
      font,
      size: 24,
      colour: token('muted'),
      align: 'center',
    })
  })
}

function setFont(context: CanvasRenderingContext2D, font: CanvasFont, size: number): void {
  context.font = `${font.weight} ${size}px ${font.family}`
  // A browser without support for this property uses the font's normal width.
  if ('fontStretch' in context) context.fontStretch = font.stretch
}

/** Returns the largest size up to `size` at which the text fits the width. */
function fitSize(context: CanvasRenderingContext2D, font: CanvasFont, text: string, size: number, maxWidth: number): number {
  setFont(context, font, size)
  return Math.min(size, (size * maxWidth) / context.measureText(text).width)
}

/** Draws a line of text, cut at its end if it is wider than `maxWidth`. Returns its width. */
function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  { font, size, colour, align = 'left', maxWidth = PICTURE_WIDTH }: TextStyle,
): number {
  setFont(context, font, size)
  context.fillStyle = colour
  context.textAlign = align
  let shownText = text
  const letters = [...text]
  while (letters.length > 0 && context.measureText(shownText).width > maxWidth) {
    letters.pop()
    shownText = `${letters.join('').trimEnd()}…`
  }
  context.fillText(shownText, x, y)
  return context.measureText(shownText).width
}
