import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paintSlider, Slider } from './slider.tsx'
import './global.css'

let end = () => {}
afterEach(() => end())

function show(content: React.ReactNode) {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() => root.render(content))
  end = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
}

const input = () => {
  const element = page.getByRole('slider').element()
  if (!(element instanceof HTMLInputElement)) throw new Error('no slider')
  return element
}
const lit = () => Number(input().parentElement?.style.getPropertyValue('--at'))

function Speed({ onCommit }: { onCommit: (value: number) => void }) {
  const [value, setValue] = useState(1.5)
  return <Slider label="Speed" min={0} max={2} step={0.05} value={value} origin={1} onChange={setValue} onCommit={onCommit} />
}

it('moves by a step with the arrows, reports when it rests, and goes back to its origin on a double click', async () => {
  const onCommit = vi.fn()
  show(<Speed onCommit={onCommit} />)
  await expect.element(page.getByRole('slider', { name: 'Speed' })).toBeVisible()
  expect(lit()).toBe(0.75)
  input().focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(input().valueAsNumber).toBeCloseTo(1.55)
  expect(onCommit).toHaveBeenLastCalledWith(1.55)
  await page.getByRole('slider').dblClick({ position: { x: 2, y: 22 } })
  expect(input().valueAsNumber).toBe(1)
  expect(onCommit).toHaveBeenLastCalledWith(1)
  expect(lit()).toBe(0.5)
})

it('is painted from outside without a report', () => {
  const onChange = vi.fn()
  show(<Slider label="Position" min={0} max={200} step="any" onChange={onChange} />)
  paintSlider(input(), 50, '0:50 of 3:20')
  expect(input().value).toBe('50')
  expect(input().getAttribute('aria-valuetext')).toBe('0:50 of 3:20')
  expect(lit()).toBe(0.25)
  expect(onChange).not.toHaveBeenCalled()
})
