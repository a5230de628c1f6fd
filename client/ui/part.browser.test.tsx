import type { ComponentType, ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createPart } from './part.tsx'

let end = () => {}
afterEach(() => end())

function render(content: ReactNode) {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  root.render(content)
  end = () => {
    root.unmount()
    container.remove()
  }
}

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

it('shows the part when it has come', async () => {
  let arrive = () => {}
  const arrival = new Promise<ComponentType<{ name: string }>>((resolve) => {
    arrive = () => resolve(Greeting)
  })
  const Part = createPart(() => arrival, { waiting: ({ name }) => <p>Wait, {name}</p> })
  render(<Part name="you" />)
  await expect.element(page.getByText('Wait, you')).toBeVisible()
  arrive()
  await expect.element(page.getByText('Hello you')).toBeVisible()
})

it('says that it did not arrive, in its own place only, and asks again on Retry', async () => {
  const load = vi.fn<() => Promise<ComponentType<{ name: string }>>>().mockRejectedValueOnce(new TypeError('Failed to fetch'))
  load.mockResolvedValue(Greeting)
  const Part = createPart(load, { missing: (_, words) => <section aria-label="Its place">{words}</section> })
  render(
    <main>
      <p>Around it</p>
      <Part name="you" />
    </main>,
  )
  await expect.element(page.getByRole('region', { name: 'Its place' })).toHaveTextContent('A part of the page did not arrive.')
  await expect.element(page.getByText('Around it')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.element(page.getByText('Hello you')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
})
