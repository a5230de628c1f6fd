import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import type { OutboxRow } from '../../data/local-database.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { SignOutDialog } from './sign-out-dialog.tsx'

const UID = 'ann'
const AT = '2026-03-01T12:00:00Z'
const rowFields = (id: string) => ({ id, uid: UID, createdAtMs: 0, attempts: 0, lastError: '', state: 'waiting' as const })
const syncFields = (id: string) => ({ id, at: AT, device: 'device' })
const followRow = (id: string, artist: string): OutboxRow => ({
  ...rowFields(id),
  call: 'POST /follow/sync',
  body: { ...syncFields(id), artist, follow: true },
})

/** Opens the dialog of a device without a connection, whose outbox has these rows. */
async function openDialog(rows: readonly OutboxRow[]) {
  const database = createMemoryDatabase()
  await database.change((tables) => tables.outbox.put(rows))
  const hostElement = document.body.appendChild(document.createElement('div'))
  const root = createRoot(hostElement)
  onTestFinished(() => {
    root.unmount()
    hostElement.remove()
  })
  root.render(
    <ServicesProvider
      services={createTestServices({
        database,
        connection: { subscribe: () => () => {}, offline: true },
        identity: { getSnapshot: () => ({ uid: UID }) },
        offlineMutations: async () => ({ outbox: { drain: async () => {} } }),
      })}
    >
      <ToastRegion>
        <SignOutDialog open={true} onClose={() => {}} onLeave={() => {}} />
      </ToastRegion>
    </ServicesProvider>,
  )
}
const locateText = () => page.getByRole('dialog').getByRole('status')

it('sign-out: the dialog names followed artists that are not sent yet', async () => {
  await openDialog([followRow('1', 'Élan')])
  await expect.element(locateText()).toHaveTextContent('1 change is not sent yet: 1 followed artist. They stay')
})

it('sign-out: the dialog names the changes of each kind', async () => {
  await openDialog([
    followRow('1', 'Élan'),
    followRow('2', 'Second'),
    { ...rowFields('3'), call: 'POST /favorite/sync', body: { ...syncFields('3'), s: 'AAAAAAAAAA1', favorite: true } },
  ])
  await expect.element(locateText()).toHaveTextContent('3 changes are not sent yet: 1 favorite and 2 followed artists.')
})
