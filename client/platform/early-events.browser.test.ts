import { afterEach, expect, it } from 'vitest'
import { type EarlyEvent, replay } from './early-events.ts'

afterEach(() => document.body.replaceChildren())

/** As React marks what it has taken over. */
const take = (element: Element) => Object.assign(element, { __reactFiberTest: {} })

function put(markup: string): { press: (selector: string) => EarlyEvent; choose: (selector: string, value: string) => EarlyEvent } {
  document.body.innerHTML = markup
  const noted = (selector: string, event: Event, value?: string): EarlyEvent => {
    document.querySelector(selector)?.dispatchEvent(event)
    return { event, value }
  }
  return {
    press: (selector) => noted(selector, new MouseEvent('click', { bubbles: true })),
    choose: (selector, value) => noted(selector, new Event('change', { bubbles: true }), value),
  }
}

function countPresses(selector: string) {
  const presses: Element[] = []
  for (const button of document.querySelectorAll(selector)) button.addEventListener('click', () => presses.push(button))
  return presses
}

it('presses what was pressed, once for many presses in a row, when the program has it', async () => {
  const { press, choose } = put('<button id="a">A</button><select id="s"><option>1<option>2</select><button id="b">B</button>')
  const events = [press('#a'), press('#a'), choose('#s', '2'), press('#a'), press('#b')]
  const a = countPresses('#a')
  const b = countPresses('#b')
  const done = replay(events)
  await new Promise((resolve) => setTimeout(resolve, 120))
  expect(a).toHaveLength(0)
  for (const element of document.querySelectorAll('button, select')) take(element)
  await done
  expect(a).toHaveLength(2)
  expect(b).toHaveLength(1)
  expect(document.querySelector('select')?.value).toBe('2')
})

it('presses the element that came in the place of one that is gone', async () => {
  const { press } = put('<button aria-label="Search">x</button>')
  const events = [press('button')]
  document.body.innerHTML = '<button>Other</button><button aria-label="Search">y</button>'
  const presses = countPresses('button')
  for (const element of document.querySelectorAll('button')) take(element)
  await replay(events)
  expect(presses.map((button) => button.textContent)).toEqual(['y'])
})
