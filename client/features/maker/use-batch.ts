import { useEffect, useState, useSyncExternalStore } from 'react'
import { isAudioFile } from '../../../contract/audio-files.ts'
import type { Batch, BatchProgress, BatchState, Engine } from '../../engine/engine.ts'
import { busyTracker } from '../../platform/busy.ts'
import { type DroppedItems, hasFolder, takeDroppedItems } from '../../platform/dropped-items.ts'
import { listen } from '../../primitives/scope.ts'
import { fitSpeed } from './tempo-fit.ts'
import { useRecordExport } from './use-export-history.ts'

export type { DroppedItems } from '../../platform/dropped-items.ts'

export const isAudio = (file: Pick<File, 'name' | 'type'>): boolean => file.type.startsWith('audio/') || isAudioFile(file)

/** Returns the items of a drop event if they are several songs or include a folder. Must be called during the event. */
export function takeDroppedSongs(data: DataTransfer | null): DroppedItems | undefined {
  const items = takeDroppedItems(data)
  const isMany = hasFolder(items) || items.filter(({ file }) => file !== null && isAudio(file)).length > 1
  return isMany ? items : undefined
}

/** The batches that make site updates wait and the browser ask before closing the page, even after the person has left the maker's page. */
const trackedBatches = new WeakSet<Batch>()

/**
 * While songs are exported, updates of the site wait. The browser asks before it closes the page if songs would have to be picked again.
 */
function trackRunning(batch: Batch): void {
  if (trackedBatches.has(batch)) return
  trackedBatches.add(batch)
  let release: (() => void) | undefined
  const preventClosing = () => {
    const releaseBusy = busyTracker.hold('render')
    const allowClosing = listen(window, 'beforeunload', (event) => {
      if (batch.getSnapshot().items.some(({ state, source }) => state === 'waiting' && source === 'page')) event.preventDefault()
    })
    return () => {
      releaseBusy()
      allowClosing()
    }
  }
  batch.subscribe(() => {
    const isRunning = batch.getSnapshot().phase === 'running'
    if (isRunning) release ??= preventClosing()
    else {
      release?.()
      release = undefined
    }
  })
}

/**
 * Returns the batch of the engine: `undefined` until it is loaded, `failed` if its code could not be loaded. The batch is loaded if
 * `isWanted` is set or if the device has a stored batch.
 */
export function useBatch(engine: Engine, isWanted: boolean): Batch | 'failed' | undefined {
  const recordExport = useRecordExport()
  const [batch, setBatch] = useState<Batch | 'failed'>()
  useEffect(() => {
    let isStale = false
    async function load() {
      if (!isWanted && !(await engine.hasStoredBatch())) return
      const openedBatch = await engine.openBatch({
        fitSpeed,
        describeCover: (size, seed) => import('./video-style.ts').then(({ describeCover }) => describeCover(size, seed)),
        onExported({ fileName, bytes, settings: { speed, pitch } }) {
          recordExport({ file_name: fileName, file_size: bytes, speed, pitch }).catch(() => undefined)
        },
      })
      trackRunning(openedBatch)
      if (!isStale) setBatch(openedBatch)
    }
    load().catch(() => !isStale && isWanted && setBatch('failed'))
    return () => {
      isStale = true
    }
  }, [engine, isWanted, recordExport])
  return batch
}

export const useBatchState = (batch: Batch): BatchState => useSyncExternalStore(batch.subscribe, batch.getSnapshot)

/** Calls `listener` with the progress of the song in progress, without rendering. */
export function useBatchProgress(batch: Batch, listener: (progress: BatchProgress) => void): void {
  useEffect(() => batch.onProgress(listener))
}
