/**
 * Writes the brand faces that pages load, cut down to the letters and axes the design uses. Run it after an
 * update of the font packages: `npx tsx scripts/subset-fonts.ts`. Rarer letters come from the packages' own latin-ext files.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

const letters = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')
const latin = `${letters(0x20, 0x7e)}${letters(0xa0, 0xff)}–—‘’“”…•−×€™`

const packages = 'node_modules/@fontsource-variable'
const anybody = `${packages}/anybody/files/anybody-latin-standard-normal.woff2`
/** A page fetches those faces only whose widths its brand's tokens ask for (`client/ui/tokens.css`). */
const faces = [
  {
    from: anybody,
    to: 'client/ui/fonts/anybody-narrow.woff2',
    letters: latin,
    axes: { wdth: { min: 60, max: 80 }, wght: { min: 700, max: 840 } },
  },
  {
    from: anybody,
    to: 'client/ui/fonts/anybody-wide.woff2',
    letters: latin,
    axes: { wdth: { min: 120, max: 140 }, wght: { min: 400, max: 500 } },
  },
  // The maker's rate, whose width is the rate.
  {
    from: anybody,
    to: 'client/ui/fonts/anybody-numerals.woff2',
    letters: '0123456789.×',
    axes: { wdth: { min: 50, max: 150 }, wght: 600 },
  },
  {
    from: `${packages}/martian-mono/files/martian-mono-latin-standard-normal.woff2`,
    to: 'client/ui/fonts/martian-mono.woff2',
    letters: latin,
    axes: { wdth: { min: 75, max: 90 }, wght: { min: 300, max: 500 } },
  },
]

await mkdir('client/ui/fonts', { recursive: true })
for (const { from, to, letters: kept, axes } of faces) {
  const subset = await subsetFont(await readFile(from), kept, { targetFormat: 'woff2', variationAxes: axes })
  await writeFile(to, subset)
  console.log(`${to}: ${subset.length} bytes`)
}
