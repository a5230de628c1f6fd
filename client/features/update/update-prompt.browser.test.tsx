import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { busy } from '../../platform/busy.ts'
import { serviceWorker, type UpdateState } from '../../platform/service-worker.ts'
import '../../ui/global.css'
import { UpdatePrompt } from './update-prompt.tsx'

let root: Root
let host: HTMLElement
let state: UpdateState
let tell: () => void
const accept = vi.fn()

beforeEach(() => {
  state = 'none'
  accept.mockClear()
  vi.spyOn(serviceWorker, 'update').mockImplementation(() => state)
  vi.spyOn(serviceWorker, 'subscribe').mockImplementation((listener) => {
    tell = listener
    return () => {}
  })
  vi.spyOn(serviceWorker, 'acceptUpdate').mockImplementation(accept)
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  flushSync(() => root.render(<UpdatePrompt />))
})
afterEach(() => {
  root.unmount()
  host.remove()
  vi.restoreAllMocks()
})

const region = () => page.getByRole('status')
const become = (next: UpdateState) => {
  state = next
  flushSync(tell)
}

it('stands there empty, offers a new version by keyboard, and says no more of it afterwards', async () => {
  await expect.element(region()).toBeEmptyDOMElement()
  become('offered')
  await expect.element(region()).toHaveTextContent('A new version is ready.')
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Update' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(accept).toHaveBeenCalledTimes(1)
  become('accepted')
  await expect.element(page.getByRole('button', { name: 'Update' })).not.toBeInTheDocument()
  await expect.element(region()).toHaveTextContent('The new version is ready.')
})

it.each([
  ['song', 'the music stops'],
  ['render', 'the export is done'],
  ['form', 'your form is sent'],
] as const)('says what the key will wait for, and then that it does: a %s', async (reason, end) => {
  const release = busy.hold(reason)
  try {
    become('offered')
    await expect.element(region()).toHaveTextContent(`A new version is ready. Update waits until ${end}.`)
    become('accepted')
    await expect.element(region()).toHaveTextContent(`The new version is ready. It waits until ${end}.`)
  } finally {
    flushSync(release)
  }
  await expect.element(region()).not.toHaveTextContent(end)
})

it('goes away for now', async () => {
  become('offered')
  await page.getByRole('button', { name: 'Later' }).click()
  await expect.element(region()).toBeEmptyDOMElement()
  expect(accept).not.toHaveBeenCalled()
})
