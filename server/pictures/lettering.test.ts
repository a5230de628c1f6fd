import { expect, it } from 'vitest'
import { findInitial, fitNameToLine, renderLettering } from './lettering.ts'

const letteringOptions = { x: 0, y: 100, size: 50, maxWidth: 300, color: '#fff' }

it('lettering: Latin text is drawn as outlines, smaller if it is too wide; other scripts are set in a font, without markup', () => {
  const readScale = (svg: string) => Number(/scale\(([\d.]+)/.exec(svg)?.[1])
  expect(renderLettering('Ann & Bo', letteringOptions)).toMatch(/^<g .*<path/)
  expect(renderLettering('Ann', letteringOptions)).not.toContain('<text')
  expect(readScale(renderLettering('W'.repeat(40), letteringOptions))).toBeLessThan(readScale(renderLettering('W', letteringOptions)))
  const japanese = renderLettering('夜 <b>&', letteringOptions)
  expect(japanese).toMatch(/^<text [^>]*>夜 &lt;b&gt;&amp;<\/text>$/)
})

it('lettering: a name is shortened to one line, and its initial is its first letter or digit', () => {
  expect(fitNameToLine(' Ann\n\u202e of  the Sea ')).toBe('Ann of the Sea')
  expect([...fitNameToLine('🎵'.repeat(50))]).toHaveLength(40)
  expect(['ann', '"7even"', 'е\u0301cole', '★ ★', '夜の東京'].map(findInitial)).toEqual(['A', '7', 'Е\u0301', undefined, '夜'])
  // Dozens of accents would shrink the letter to a dot.
  expect(findInitial(`q${'\u030d'.repeat(50)}`)).toBe(`Q${'\u030d'.repeat(3)}`)
})
