import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { Cover } from './cover.tsx'
import { markFailedPictures } from './failed-pictures.ts'
import './global.css'

it('a picture that fails to load is hidden, also if it failed before the script started', async () => {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  const listVisibilities = () => [...container.querySelectorAll('img')].map((picture) => getComputedStyle(picture).visibility)
  flushSync(() =>
    root.render(
      <>
        <Cover src="data:image/png,broken" ratio="wide" width={64} alt="" priority />
        <img src="data:image/png,broken" alt="" />
      </>,
    ),
  )
  await vi.waitFor(() => expect([...container.querySelectorAll('img')].every(({ complete }) => complete)).toBe(true))
  expect(listVisibilities()).toEqual(['visible', 'visible'])
  const stopMarking = markFailedPictures()
  expect(listVisibilities()).toEqual(['hidden', 'hidden'])
  flushSync(() => root.render([1, 2].map((key) => <Cover key={key} src="data:image/png,broken" ratio="wide" width={64} alt="" priority />)))
  await vi.waitFor(() => expect(listVisibilities()).toEqual(['hidden', 'hidden']))
  stopMarking()
  flushSync(() => root.unmount())
  container.remove()
})
