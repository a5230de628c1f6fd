import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { createEngine } from '../../engine/create-engine.ts'
import { createProjectStore } from '../../engine/projects/project-store.ts'
import { createWavBytes } from '../../engine/testing/wav-file.ts'
import { createUniqueId } from '../../primitives/unique-id.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { EDIT_IN_USE_TEXT } from './messages.ts'
import type { Engine } from './use-maker.ts'
import { useRemoval } from './use-removal.ts'

const SETTINGS = { speed: 0.8, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }

let root: Root | undefined
let hostElement: HTMLElement | undefined
let engine: Engine | undefined
afterEach(async () => {
  root?.unmount()
  hostElement?.remove()
  await engine?.dispose()
})

function RemoveButton({ engine: ownEngine }: { engine: Engine }) {
  const removeSong = useRemoval(ownEngine)
  return (
    <button type="button" onClick={() => void removeSong()}>
      Remove
    </button>
  )
}

it('an edit that another tab has open stays, and the message says so; once it is closed there, it is deleted, and Undo brings it back', async () => {
  const ownerId = createUniqueId()
  const otherTab = createProjectStore({ ownerId })
  const songBytes = createWavBytes([Array.from({ length: 44_100 }, (_, index) => Math.sin(index / 20) / 2)])
  await otherTab.save({ name: 'night.wav', blob: new Blob([songBytes]) }, SETTINGS)
  engine = createEngine({ ownerId, workerCount: 1 })
  await engine.restore()
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ToastRegion>
      <RemoveButton engine={engine} />
    </ToastRegion>,
  )

  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent(EDIT_IN_USE_TEXT)
  expect(document.body.textContent).not.toContain('Deleted:')
  expect(engine.getSnapshot().sound?.name).toBe('night.wav')

  await otherTab.dispose()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByRole('status')).toHaveTextContent('Deleted: night.wav')
  expect(engine.getSnapshot().sound).toBeUndefined()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => engine?.getSnapshot().sound?.name).toBe('night.wav')
})
