/**
 * Writes subsets of the brands' fonts with the letters and axes that the design uses, and the outlines of the letters that the server draws. Run `npx tsx scripts/subset-fonts.ts` after an update of
 * the font packages. Rarer letters come from the packages' latin-ext files.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { Blob, Face, Font } from 'harfbuzzjs'
import subsetFont from 'subset-font'

const createLetterRange = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')
const latinLetters = `${createLetterRange(0x20, 0x7e)}${createLetterRange(0xa0, 0xff)}–—‘’“”…•−×€™`

const packageFolder = 'node_modules/@fontsource-variable'
const anybodyFont = `${packageFolder}/anybody/files/anybody-latin-standard-normal.woff2`
/** The font files to write. A page fetches only files with widths that its brand's tokens use (`client/ui/tokens.css`). */
const fontFaces = [
  {
    from: anybodyFont,
    to: 'client/ui/fonts/anybody-narrow.woff2',
    letters: latinLetters,
    axes: { wdth: { min: 60, max: 80 }, wght: { min: 700, max: 840 } },
  },
  {
    from: anybodyFont,
    to: 'client/ui/fonts/anybody-wide.woff2',
    letters: latinLetters,
    axes: { wdth: { min: 120, max: 140 }, wght: { min: 400, max: 500 } },
  },
  // The digits of the playback rate in the maker, whose font width follows the rate.
  {
    from: anybodyFont,
    to: 'client/ui/fonts/anybody-numerals.woff2',
    letters: '0123456789.×',
    axes: { wdth: { min: 50, max: 150 }, wght: 600 },
  },
  {
    from: `${packageFolder}/martian-mono/files/martian-mono-latin-standard-normal.woff2`,
    to: 'client/ui/fonts/martian-mono.woff2',
    letters: latinLetters,
    axes: { wdth: { min: 75, max: 90 }, wght: { min: 300, max: 500 } },
  },
]

await mkdir('client/ui/fonts', { recursive: true })
for (const { from, to, letters, axes } of fontFaces) {
  const subset = await subsetFont(await readFile(from), letters, { targetFormat: 'woff2', variationAxes: axes })
  await writeFile(to, subset)
  console.log(`${to}: ${subset.length} bytes`)
}

// Link previews and portraits are drawn on the server, which may have no fonts.
const sfntBytes = await subsetFont(await readFile(anybodyFont), latinLetters, {
  targetFormat: 'sfnt',
  variationAxes: { wdth: 100, wght: 700 },
})
const fontFace = new Face(new Blob(sfntBytes))
const loadedFont = new Font(fontFace)
const letterOutlines = [...latinLetters].flatMap((latinLetter) => {
  const glyph = loadedFont.glyph(latinLetter.codePointAt(0) ?? 0)
  return glyph === undefined ? [] : [[latinLetter, [loadedFont.glyphHAdvance(glyph), loadedFont.glyphToPath(glyph)]] as const]
})
const lettersFile = 'server/pictures/letters.json'
await writeFile(lettersFile, `${JSON.stringify({ upem: fontFace.upem, letters: Object.fromEntries(letterOutlines) })}\n`)
console.log(`${lettersFile}: ${letterOutlines.length} letters`)
