import { type CanvasFont, readBrandFont, readBrandTokens, readTextFont } from '../../ui/brand-canvas.ts'
import { formatCount, formatPlural, MONTH_NAMES } from '../../ui/format.ts'
import type { YearSummary } from './year-summary.ts'

/** The size of the picture in pixels: the tallest format that the feeds of social networks show without cropping. */
export const PICTURE_WIDTH = 1080
export const PICTURE_HEIGHT = 1350

const MARGIN_PX = 84
const FADE_BOTTOM_PX = 560
const INNER_WIDTH_PX = PICTURE_WIDTH - 2 * MARGIN_PX
const DRAWN_SONG_COUNT = 5
const SONG_LINE_HEIGHT_PX = 74
const BARS_BOTTOM_PX = 1212
const BAR_HEIGHT_PX = 118

/** Matches a text whose first letter is of a script that is written from right to left, which decides the direction as with `dir="auto"`. */
const STARTS_RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

interface DrawnYear {
  year: string
  summary: YearSummary
  siteName: string
  siteDomain: string
}

interface TextStyle {
  font: CanvasFont
  sizePx: number
  colour: string
  align?: CanvasTextAlign
  maxWidthPx?: number
}

const formatFont = ({ weight, stretch, family }: CanvasFont, size: number) => `${weight} ${stretch} ${size}px ${family}`

/** Resolves once the brand's fonts can be drawn, or have failed to load. */
export async function loadYearFonts(): Promise<void> {
  const fonts = [readBrandFont('display'), readBrandFont('mono', '300'), readBrandFont('mono', '400')]
  await Promise.allSettled(fonts.map((font) => document.fonts.load(formatFont(font, 40))))
}

/** Draws the picture of a year in the brand's fonts and colours. */
export function drawYear(canvas: HTMLCanvasElement, { year, summary, siteName, siteDomain }: DrawnYear): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const readToken = readBrandTokens()
  const displayFont = readBrandFont('display')
  const monoFont = readBrandFont('mono', '400')
  const lightFont = readBrandFont('mono', '300')
  const textColour = readToken('text')
  const mutedColour = readToken('muted')

  context.reset()
  context.fillStyle = readToken('surface-0')
  context.fillRect(0, 0, PICTURE_WIDTH, PICTURE_HEIGHT)
  drawRings(context, readToken)
  // The rings fade into a plain colour, which is the background of the texts below the year.
  const fadeGradient = context.createLinearGradient(0, 0, 0, FADE_BOTTOM_PX)
  fadeGradient.addColorStop(0, 'transparent')
  fadeGradient.addColorStop(1, readToken('surface-0'))
  context.fillStyle = fadeGradient
  context.fillRect(0, 0, PICTURE_WIDTH, FADE_BOTTOM_PX)
  context.fillStyle = readToken('surface-0')
  context.fillRect(0, FADE_BOTTOM_PX, PICTURE_WIDTH, PICTURE_HEIGHT - FADE_BOTTOM_PX)

  drawText(context, siteName, MARGIN_PX, 128, { font: displayFont, sizePx: 44, colour: textColour, maxWidthPx: INNER_WIDTH_PX })
  drawText(context, year, MARGIN_PX, 400, {
    font: displayFont,
    sizePx: fitSize(context, displayFont, year, 300, INNER_WIDTH_PX),
    colour: textColour,
  })

  const minutesText = formatCount(summary.minutes)
  const minutesSizePx = fitSize(context, lightFont, minutesText, 140, 560)
  const minutesWidth = drawText(context, minutesText, MARGIN_PX, 566, {
    font: lightFont,
    sizePx: minutesSizePx,
    colour: readToken('accent'),
  })
  drawText(context, summary.minutes === 1 ? 'minute' : 'minutes', MARGIN_PX + minutesWidth + 24, 566, {
    font: monoFont,
    sizePx: 34,
    colour: textColour,
  })
  const factTexts = [
    formatPlural(summary.songs.length, 'song'),
    formatPlural(summary.artists.length, 'artist'),
    formatPlural(summary.playCount, 'play'),
  ]
  drawText(context, factTexts.join('  ·  '), MARGIN_PX, 632, {
    font: monoFont,
    sizePx: 32,
    colour: mutedColour,
    maxWidthPx: INNER_WIDTH_PX,
  })

  summary.songs.slice(0, DRAWN_SONG_COUNT).forEach(({ title, artist }, index) => {
    const rowY = 728 + index * SONG_LINE_HEIGHT_PX
    drawText(context, String(index + 1), MARGIN_PX, rowY, { font: monoFont, sizePx: 32, colour: readToken('accent') })
    drawText(context, title, MARGIN_PX + 60, rowY, {
      font: readTextFont('600'),
      sizePx: 34,
      colour: textColour,
      maxWidthPx: INNER_WIDTH_PX - 60,
    })
    drawText(context, artist, MARGIN_PX + 60, rowY + 32, {
      font: readTextFont('400'),
      sizePx: 24,
      colour: mutedColour,
      maxWidthPx: INNER_WIDTH_PX - 60,
    })
  })

  drawMonths(context, summary, readToken, monoFont)
  drawText(context, siteDomain, PICTURE_WIDTH - MARGIN_PX, 1306, {
    font: monoFont,
    sizePx: 26,
    colour: mutedColour,
    align: 'right',
    maxWidthPx: 0.75 * INNER_WIDTH_PX,
  })
  drawText(context, 'My year', MARGIN_PX, 1306, { font: monoFont, sizePx: 26, colour: mutedColour })
}

/** Draws two sets of rings like the grooves of records. The crossings of the rings form a moiré pattern. */
function drawRings(context: CanvasRenderingContext2D, readToken: (name: string) => string): void {
  context.globalAlpha = 0.5
  for (const [x, y, colour] of [
    [860, 130, readToken('art-1')],
    [960, 190, readToken('art-2')],
  ] as const) {
    context.strokeStyle = colour
    context.lineWidth = 5
    for (let radiusPx = 18; radiusPx < 760; radiusPx += 18) {
      context.beginPath()
      context.arc(x, y, radiusPx, 0, 2 * Math.PI)
      context.stroke()
    }
  }
  context.globalAlpha = 1
}

function drawMonths(
  context: CanvasRenderingContext2D,
  { months }: YearSummary,
  readToken: (name: string) => string,
  font: CanvasFont,
): void {
  const monthWidthPx = INNER_WIDTH_PX / months.length
  const longestMonthMs = Math.max(1, ...months.map(({ heardMs }) => heardMs))
  const gradient = context.createLinearGradient(MARGIN_PX, 0, PICTURE_WIDTH - MARGIN_PX, 0)
  gradient.addColorStop(0, readToken('accent'))
  gradient.addColorStop(1, readToken('accent-2'))
  months.forEach(({ heardMs }, index) => {
    const barX = MARGIN_PX + index * monthWidthPx
    const barHeight = heardMs === 0 ? 3 : Math.max(8, (BAR_HEIGHT_PX * heardMs) / longestMonthMs)
    context.fillStyle = heardMs === 0 ? readToken('line-2') : gradient
    context.fillRect(barX + 8, BARS_BOTTOM_PX - barHeight, monthWidthPx - 16, barHeight)
    drawText(context, MONTH_NAMES[index]?.slice(0, 1) ?? '', barX + monthWidthPx / 2, BARS_BOTTOM_PX + 36, {
      font,
      sizePx: 24,
      colour: readToken('muted'),
      align: 'center',
    })
  })
}

function setFont(context: CanvasRenderingContext2D, font: CanvasFont, sizePx: number): void {
  context.font = `${font.weight} ${sizePx}px ${font.family}`
  // A browser without support for this property uses the font's normal width.
  if ('fontStretch' in context) context.fontStretch = font.stretch
}

/** Returns the largest size up to `sizePx` at which the text fits the width. */
function fitSize(context: CanvasRenderingContext2D, font: CanvasFont, shownText: string, sizePx: number, maxWidth: number): number {
  setFont(context, font, sizePx)
  return Math.min(sizePx, (sizePx * maxWidth) / context.measureText(shownText).width)
}

/** Draws a line of text, cut at its end if it is wider than `maxWidthPx`. Returns its width. */
function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  { font, sizePx, colour, align = 'left', maxWidthPx = PICTURE_WIDTH }: TextStyle,
): number {
  setFont(context, font, sizePx)
  context.fillStyle = colour
  context.textAlign = align
  context.direction = STARTS_RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr'
  let shownText = text
  if (context.measureText(text).width > maxWidthPx) {
    // Cuts between characters as people see them: an emoji of several code points is drawn whole or left out.
    const characters = Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
    while (characters.length > 0 && context.measureText(shownText).width > maxWidthPx) {
      characters.pop()
      shownText = `${characters.join('').trimEnd()}…`
    }
  }
  context.fillText(shownText, x, y)
  return context.measureText(shownText).width
}
