import { expect, it } from 'vitest'
import { brands } from '../../../brands/registry.ts'
import { accentColors } from '../../../contract/website-rules.ts'
import css from './public-page.module.css?raw'

/** The relative luminance of a color (WCAG 2.2). */
function computeLuminance(hexColour: string): number {
  const [redShare = 0, greenShare = 0, blueShare = 0] = [1, 3, 5].map((digitIndex) => {
    const channel = Number.parseInt(hexColour.slice(digitIndex, digitIndex + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * redShare + 0.7152 * greenShare + 0.0722 * blueShare
}
function computeContrast(firstColour: string, secondColour: string): number {
  const [light = 0, dark = 0] = [computeLuminance(firstColour), computeLuminance(secondColour)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

it('website: each accent that owners can choose has a contrast of at least 7 to the surfaces of both brands and to the text on the accent', () => {
  const inkColour = /--accent-ink: (#[0-9a-f]{6})/.exec(css)?.[1] ?? ''
  const colourByName = new Map(
    [...css.matchAll(/data-accent='(\w+)'\] \{\s*--accent: (#[0-9a-f]{6})/g)].map(([, id, color]) => [id, color ?? '']),
  )
  expect([...colourByName.keys()]).toEqual(accentColors.filter((accent) => accent !== ''))
  for (const color of colourByName.values())
    for (const other of [inkColour, ...brands.flatMap(({ tokens }) => [tokens['surface-0'], tokens['surface-1']])])
      expect([color, other, computeContrast(color, other) >= 7]).toEqual([color, other, true])
})
