import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Slider, setSliderValue } from './slider.tsx'
import './global.css'

let unmountRoot = () => {}
afterEach(() => unmountRoot())

function renderContent(renderedNode: React.ReactNode) {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() => root.render(renderedNode))
  unmountRoot = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
}

const findSliderInput = () => {
  const element = page.getByRole('slider').element()
  if (!(element instanceof HTMLInputElement)) throw new Error('no slider')
  return element
}
const readThumbFraction = () => Number(findSliderInput().parentElement?.style.getPropertyValue('--at'))

function Speed({ onCommit }: { onCommit: (value: number) => void }) {
  const [value, setValue] = useState(1.5)
  return <Slider label="Speed" min={0} max={2} step={0.05} value={value} neutralValue={1} onChange={setValue} onCommit={onCommit} />
}

it('slider: arrow keys move by one step, onCommit reports the final value, a double-click resets to the neutral value', async () => {
  const onCommit = vi.fn()
  renderContent(<Speed onCommit={onCommit} />)
  await expect.element(page.getByRole('slider', { name: 'Speed' })).toBeVisible()
  expect(readThumbFraction()).toBe(0.75)
  findSliderInput().focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(findSliderInput().valueAsNumber).toBeCloseTo(1.55)
  expect(onCommit).toHaveBeenLastCalledWith(1.55)
  await page.getByRole('slider').dblClick({ position: { x: 2, y: 22 } })
  expect(findSliderInput().valueAsNumber).toBe(1)
  expect(onCommit).toHaveBeenLastCalledWith(1)
  expect(readThumbFraction()).toBe(0.5)
})

it('slider: setting its value moves the thumb without calling onChange', () => {
  const onChange = vi.fn()
  renderContent(<Slider label="Position" min={0} max={200} step="any" onChange={onChange} />)
  setSliderValue(findSliderInput(), 50, '0:50 of 3:20')
  expect(findSliderInput().value).toBe('50')
  expect(findSliderInput().getAttribute('aria-valuetext')).toBe('0:50 of 3:20')
  expect(readThumbFraction()).toBe(0.25)
  expect(onChange).not.toHaveBeenCalled()
})
