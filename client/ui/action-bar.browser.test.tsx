import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ActionBar, ActionButton } from './action-bar.tsx'
import './global.css'
import typeStyles from './type.module.css'

const LABELS = ['Favorite', 'Add to playlist', 'Copy link', 'Share', 'Sleep timer', 'Report']

/** Returns for each word of an element its number of lines: 2 for a word that is broken. */
function countWordLines(element: Element): number[] {
  const textNode = [...element.childNodes].find((node) => node instanceof Text)
  return [...(textNode?.textContent ?? '').matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(textNode ?? element, index)
    range.setEnd(textNode ?? element, index + word.length)
    return range.getClientRects().length
  })
}

it.each([
  [320, 2],
  [359, 2],
  [360, 1],
  [390, 1],
  [1280, 1],
])(
  'action bar: on a screen of %i px, the six actions of a song fill rows of equal length (%i) without broken words',
  async (width, rowCount) => {
    await page.viewport(width, 640)
    const hostElement = document.body.appendChild(document.createElement('div'))
    hostElement.className = typeStyles.wrap ?? ''
    const root = createRoot(hostElement)
    root.render(
      <ActionBar>
        {LABELS.map((label) => (
          <ActionButton key={label} icon="plus" label={label} onClick={() => {}} />
        ))}
      </ActionBar>,
    )
    await expect.element(page.getByRole('button', { name: 'Report' })).toBeVisible()
    await document.fonts.ready
    const buttons = page.getByRole('button').elements()
    const tops = buttons.map((button) => button.getBoundingClientRect().top)
    expect([...new Set(tops)].map((top) => tops.filter((other) => other === top).length)).toEqual(
      Array.from({ length: rowCount }, () => LABELS.length / rowCount),
    )
    for (const button of buttons) {
      expect(button.scrollWidth).toBeLessThanOrEqual(button.clientWidth)
      expect(new Set(countWordLines(button))).toEqual(new Set([1]))
    }
    expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
    root.unmount()
    hostElement.remove()
    await page.viewport(1280, 800)
  },
)
