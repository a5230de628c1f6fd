/**
 * Writes the two brand faces that every page loads, cut down to the letters and axes the design uses. Run it after an
 * update of the font packages: `npx tsx scripts/subset-fonts.ts`. Rarer letters come from the packages' own latin-ext files.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

const letters = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')
const latin = `${letters(0x20, 0x7e)}${letters(0xa0, 0xff)}–—‘’“”…•−×€™`

const packages = 'node_modules/@fontsource-variable'
const faces = [
  {
    from: `${packages}/anybody/files/anybody-latin-standard-normal.woff2`,
    to: 'client/ui/fonts/anybody.woff2',
    axes: { wdth: { min: 50, max: 150 }, wght: { min: 300, max: 900 } },
  },
  {
    from: `${packages}/martian-mono/files/martian-mono-latin-standard-normal.woff2`,
    to: 'client/ui/fonts/martian-mono.woff2',
    axes: { wdth: { min: 75, max: 100 }, wght: { min: 300, max: 700 } },
  },
]

await mkdir('client/ui/fonts', { recursive: true })
for (const { from, to, axes } of faces) {
  const subset = await subsetFont(await readFile(from), latin, { targetFormat: 'woff2', variationAxes: axes })
  await writeFile(to, subset)
  console.log(`${to}: ${subset.length} bytes`)
}
