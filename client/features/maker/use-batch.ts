import { useEffect, useState, useSyncExternalStore } from 'react'
import { isAudioFile } from '../../../contract/audio-files.ts'
import type { Batch, BatchProgress, BatchState, Engine } from '../../engine/engine.ts'
import { busyTracker } from '../../platform/busy.ts'
import { type DroppedItems, hasDroppedFolder, takeDroppedItems } from '../../platform/dropped-items.ts'
import { addListener } from '../../primitives/scope.ts'
import { fitSpeed } from './tempo-fit.ts'
import { useRecordExport } from './use-export-history.ts'

export type { DroppedItems } from '../../platform/dropped-items.ts'

export const isAudioOrNamedAudio = (file: Pick<File, 'name' | 'type'>): boolean => file.type.startsWith('audio/') || isAudioFile(file)

/** Returns the items of a drop event if they are several songs or include a folder. Must be called during the event. */
export function takeDroppedSongs(dataTransfer: DataTransfer | null): DroppedItems | undefined {
  const items = takeDroppedItems(dataTransfer)
  const isMany = hasDroppedFolder(items) || items.filter(({ file }) => file !== null && isAudioOrNamedAudio(file)).length > 1
  return isMany ? items : undefined
}

/** The batches that make site updates wait and the browser ask before closing the page, even after the person has left the maker's page. */
const trackedBatches = new WeakSet<Batch>()

/**
 * While songs are exported, updates of the site wait. The browser asks before it closes the page if songs would have to be picked again.
 */
function trackRunningBatch(batch: Batch): void {
  if (trackedBatches.has(batch)) return
  trackedBatches.add(batch)
  let releaseBatch: (() => void) | undefined
  const preventClosing = () => {
    const releaseBusy = busyTracker.hold('render')
    const allowClosing = addListener(window, 'beforeunload', (event) => {
      if (batch.getSnapshot().items.some(({ state, source }) => state === 'waiting' && source === 'page')) event.preventDefault()
    })
    return () => {
      releaseBusy()
      allowClosing()
    }
  }
  batch.subscribe(() => {
    const isBatchRunning = batch.getSnapshot().phase === 'running'
    if (isBatchRunning) releaseBatch ??= preventClosing()
    else {
      releaseBatch?.()
      releaseBatch = undefined
    }
  })
}

/**
 * Returns the batch of the engine: `undefined` until it is loaded, `failed` if its code could not be loaded. The batch is loaded if
 * `isBatchWanted` is set or if the device has a stored batch.
 */
export function useBatch(engine: Engine, isBatchWanted: boolean): Batch | 'failed' | undefined {
  const recordExport = useRecordExport()
  const [loadedBatch, setBatch] = useState<Batch | 'failed'>()
  useEffect(() => {
    let isLoadStale = false
    async function loadBatch() {
      if (!isBatchWanted && !(await engine.hasStoredBatch())) return
      const openedBatch = await engine.openBatch({
        fitSpeed,
        describeCover: (size, seed) => import('./video-style.ts').then(({ describeCover }) => describeCover(size, seed)),
        onExported({ fileName, bytes, settings: { speed, pitch } }) {
          recordExport({ file_name: fileName, file_size: bytes, speed, pitch }).catch(() => undefined)
        },
      })
      trackRunningBatch(openedBatch)
      if (!isLoadStale) setBatch(openedBatch)
    }
    loadBatch().catch(() => !isLoadStale && isBatchWanted && setBatch('failed'))
    return () => {
      isLoadStale = true
    }
  }, [engine, isBatchWanted, recordExport])
  return loadedBatch
}

export const useBatchState = (batch: Batch): BatchState => useSyncExternalStore(batch.subscribe, batch.getSnapshot)

/** Calls `listener` with the progress of the song in progress, without rendering. */
export function useBatchProgress(batch: Batch, listener: (progress: BatchProgress) => void): void {
  useEffect(() => batch.onProgress(listener))
}
