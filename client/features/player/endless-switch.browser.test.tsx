import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { idleState } from '../../player/idle-player.ts'
import { ENDLESS_KEY } from '../../player/playback-session-store.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import '../../ui/global.css'
import { EndlessSwitch } from './endless-switch.tsx'

let root: Root
let hostElement: HTMLElement
const setEndless = vi.fn()

/** Renders the switch with a player that has the given state. */
function renderSwitch(initialState: Partial<typeof idleState> = {}) {
  let playerState = { ...idleState, ...initialState }
  const changeEmitter = createEmitter()
  setEndless.mockImplementation((isEndless: boolean) => {
    playerState = { ...playerState, endless: isEndless }
    changeEmitter.emit()
  })
  const player = { getSnapshot: () => playerState, subscribe: changeEmitter.subscribe, setEndless }
  root.render(
    <ServicesProvider services={createTestServices({ player })}>
      <EndlessSwitch />
    </ServicesProvider>,
  )
}

/** Dispatches the `storage` event, as the browser does when another tab has changed the storage. */
const changeInOtherTab = (key: string, newValue: string | null) => dispatchEvent(new StorageEvent('storage', { key, newValue }))

const locateEndlessSwitch = () => page.getByRole('checkbox', { name: 'When the queue ends, play related songs' })

beforeEach(() => {
  setEndless.mockReset()
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
})

it('endless switch: a press changes the player, and a change in another tab is shown in this one', async () => {
  renderSwitch()
  await expect.element(locateEndlessSwitch()).not.toBeChecked()
  await locateEndlessSwitch().click()
  await expect.element(locateEndlessSwitch()).toBeChecked()
  changeInOtherTab(ENDLESS_KEY, null)
  await expect.element(locateEndlessSwitch()).not.toBeChecked()
  changeInOtherTab('varispeed.volume', 'on')
  changeInOtherTab(ENDLESS_KEY, 'on')
  await expect.element(locateEndlessSwitch()).toBeChecked()
  expect(setEndless.mock.calls).toEqual([[true], [false, true], [true, true]])
})

it('endless switch: a removed switch no longer reacts to changes in other tabs', async () => {
  renderSwitch()
  await expect.element(locateEndlessSwitch()).toBeInTheDocument()
  root.render(null)
  await expect.element(locateEndlessSwitch()).not.toBeInTheDocument()
  changeInOtherTab(ENDLESS_KEY, 'on')
  expect(setEndless).not.toHaveBeenCalled()
})

it('endless switch: a song radio has no switch, and shows a message when no more songs follow', async () => {
  renderSwitch({ isSongRadio: true, isExhausted: true })
  await expect.element(page.getByRole('status')).toHaveTextContent('No more related songs.')
  await expect.element(locateEndlessSwitch()).not.toBeInTheDocument()
})
