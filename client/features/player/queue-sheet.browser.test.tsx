import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { idleState } from '../../player/idle-player.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { QueueSheetButton } from './queue-sheet.tsx'

let root: Root
let hostElement: HTMLElement

beforeEach(() => {
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  const player = { getSnapshot: () => idleState, subscribe: () => () => {} }
  root.render(
    <ServicesProvider services={createTestServices({ player })}>
      <ToastRegion>
        <QueueSheetButton />
      </ToastRegion>
    </ServicesProvider>,
  )
})
afterEach(async () => {
  root.unmount()
  hostElement.remove()
  await page.viewport(1280, 800)
})

const locateSheet = () => page.getByRole('dialog', { name: 'Queue' })

it.each(['popstate', 'page-request'])(
  'queue sheet: on a phone, %s closes the sheet, which would hide the opened page',
  async (eventType) => {
    await page.viewport(360, 640)
    await page.getByRole('button', { name: 'Queue' }).click()
    await expect.element(locateSheet()).toBeVisible()
    dispatchEvent(new Event(eventType))
    await expect.element(locateSheet()).not.toBeInTheDocument()
  },
)

it('queue sheet: beside the page, the sheet stays when a page is opened', async () => {
  await page.viewport(1280, 800)
  await page.getByRole('button', { name: 'Queue' }).click()
  await expect.element(locateSheet()).toBeVisible()
  dispatchEvent(new Event('page-request'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  await expect.element(locateSheet()).toBeVisible()
})
