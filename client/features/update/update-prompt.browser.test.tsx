import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { busyTracker } from '../../platform/busy.ts'
import { serviceWorker, type UpdateState } from '../../platform/service-worker.ts'
import '../../ui/global.css'
import { UpdatePrompt } from './update-prompt.tsx'

let root: Root
let hostElement: HTMLElement
let state: UpdateState
let notifyListeners: () => void
const acceptUpdate = vi.fn()

beforeEach(() => {
  state = 'none'
  acceptUpdate.mockClear()
  vi.spyOn(serviceWorker, 'updateState').mockImplementation(() => state)
  vi.spyOn(serviceWorker, 'subscribe').mockImplementation((listener) => {
    notifyListeners = listener
    return () => {}
  })
  vi.spyOn(serviceWorker, 'acceptUpdate').mockImplementation(acceptUpdate)
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  flushSync(() => root.render(<UpdatePrompt />))
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
  vi.restoreAllMocks()
})

const locateStatusRegion = () => page.getByRole('status')
const setUpdateState = (newState: UpdateState) => {
  state = newState
  flushSync(notifyListeners)
}

it('the update prompt is empty at first, offers a new version by keyboard, and is empty after the update was accepted', async () => {
  await expect.element(locateStatusRegion()).toBeEmptyDOMElement()
  setUpdateState('offered')
  await expect.element(locateStatusRegion()).toHaveTextContent('A new version is ready.')
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Update' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(acceptUpdate).toHaveBeenCalledTimes(1)
  setUpdateState('accepted')
  await expect.element(page.getByRole('button', { name: 'Update' })).not.toBeInTheDocument()
  await expect.element(locateStatusRegion()).toHaveTextContent('The new version is ready.')
})

it.each([
  ['song', 'the music stops'],
  ['render', 'the export is done'],
  ['form', 'your form is sent'],
] as const)(
  'the update prompt names the activity for which the update waits, before and after the update is accepted: a %s',
  async (reason, endText) => {
    const releaseBusy = busyTracker.hold(reason)
    try {
      setUpdateState('offered')
      await expect.element(locateStatusRegion()).toHaveTextContent(`A new version is ready. Update waits until ${endText}.`)
      setUpdateState('accepted')
      await expect.element(locateStatusRegion()).toHaveTextContent(`The new version is ready. It waits until ${endText}.`)
    } finally {
      flushSync(releaseBusy)
    }
    await expect.element(locateStatusRegion()).not.toHaveTextContent(endText)
  },
)

it('the update prompt can be dismissed', async () => {
  setUpdateState('offered')
  await page.getByRole('button', { name: 'Later' }).click()
  await expect.element(locateStatusRegion()).toBeEmptyDOMElement()
  expect(acceptUpdate).not.toHaveBeenCalled()
})
