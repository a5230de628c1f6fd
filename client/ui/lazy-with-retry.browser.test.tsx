import { type ComponentType, type ReactNode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { lazyWithRetry } from './lazy-with-retry.tsx'

let unmountRoot = () => {}
afterEach(() => unmountRoot())

function renderContent(renderedNode: ReactNode) {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  root.render(renderedNode)
  unmountRoot = () => {
    root.unmount()
    container.remove()
  }
}

/** Calls `runEffect` among the layout effects of a render, which precede its other effects. */
function AtLayout({ runEffect: runInLayout }: { runEffect: () => void }) {
  useLayoutEffect(runInLayout)
  return null
}

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

it('lazyWithRetry: the fallback is rendered first, then the loaded component', async () => {
  let finishLoading = () => {}
  const componentPromise = new Promise<ComponentType<{ name: string }>>((resolve) => {
    finishLoading = () => resolve(Greeting)
  })
  const LazyGreeting = lazyWithRetry(() => componentPromise, { fallback: ({ name }) => <p>Wait, {name}</p> })
  renderContent(<LazyGreeting name="you" />)
  await expect.element(page.getByText('Wait, you')).toBeVisible()
  finishLoading()
  await expect.element(page.getByText('Hello you')).toBeVisible()
})

it('lazyWithRetry: an error replaces only the component, and Retry loads it again', async () => {
  const loadGreeting = vi.fn<() => Promise<ComponentType<{ name: string }>>>().mockRejectedValueOnce(new TypeError('Failed to fetch'))
  loadGreeting.mockResolvedValue(Greeting)
  const LazyGreeting = lazyWithRetry(loadGreeting, { renderError: (_, message) => <section aria-label="Greeting">{message}</section> })
  renderContent(
    <main>
      <p>Surrounding text</p>
      <LazyGreeting name="you" />
    </main>,
  )
  await expect.element(page.getByRole('region', { name: 'Greeting' })).toHaveTextContent("Part of the page didn't load.")
  await expect.element(page.getByText('Surrounding text')).toBeVisible()
  expect(loadGreeting).toHaveBeenCalledTimes(1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.element(page.getByText('Hello you')).toBeVisible()
  expect(loadGreeting).toHaveBeenCalledTimes(2)
})

it('lazyWithRetry: a component whose preloading ends just after its first render is shown', async () => {
  let finishLoading = () => {}
  const componentPromise = new Promise<ComponentType<{ name: string }>>((resolve) => {
    finishLoading = () => resolve(Greeting)
  })
  const LazyGreeting = lazyWithRetry(() => componentPromise)
  void LazyGreeting.preload()
  renderContent(
    <>
      <LazyGreeting name="you" />
      <AtLayout runEffect={() => finishLoading()} />
    </>,
  )
  await expect.element(page.getByText('Hello you')).toBeVisible()
})
