import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { DatabaseHealth } from '../data/local-database.ts'
import { ServicesProvider } from '../hooks/services.tsx'
import { createTestServices } from '../hooks/testing/services.ts'
import { ToastRegion } from '../ui/toast.tsx'
import type { Toast } from '../ui/toast-cards.tsx'
import '../ui/global.css'
import { useChangeToast } from './use-change-toast.ts'

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
})

function Sender({ toast }: { toast: Toast }) {
  const showToast = useChangeToast()
  return (
    <button type="button" onClick={() => showToast(toast)}>
      Change
    </button>
  )
}

it.each<[DatabaseHealth, 'status' | 'alert', Toast, string]>([
  ['persistent', 'status', { text: 'Followed', subject: 'Ann', kind: 'good' }, 'Followed: Ann'],
  ['restarted', 'status', { text: 'Followed', subject: 'Ann' }, 'Followed: Ann'],
  ['full', 'alert', { text: 'Followed', subject: 'Ann', kind: 'good' }, 'Followed: Ann. This device could not store the change.'],
  ['refused', 'alert', { text: 'Your history is cleared.' }, 'Your history is cleared. This device could not store the change.'],
  ['full', 'alert', { text: 'You can have no more.', kind: 'bad' }, 'You can have no more.'],
])('a change while the database is %s: the message is announced as %s', async (health, ariaRole, toast, toastText) => {
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={createTestServices({ database: { health } })}>
      <ToastRegion>
        <Sender toast={toast} />
      </ToastRegion>
    </ServicesProvider>,
  )
  await page.getByRole('button', { name: 'Change' }).click()
  await expect.element(page.getByRole(ariaRole)).toHaveTextContent(toastText)
})
