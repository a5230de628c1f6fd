import { useState } from 'react'
import { INVALID_SPEED_MESSAGE } from '../../../contract/conversion-rules.ts'
import type { DownloadActions } from './download.tsx'
import { readChosenFormat, storeChosenFormat } from './formats.ts'
import { isWholeLoop } from './loop-range.ts'
import {
  CANCELLED_TEXT,
  describeExportFailure,
  describeLevelChange,
  describeMissingSound,
  describeSavedFile,
  describeStartedDownload,
  describeWaitingExport,
  MAX_WAITING_EXPORTS,
  TOO_MANY_EXPORTS_TEXT,
  type useMessages,
} from './messages.ts'
import type { Engine, EngineState, ExportFormat } from './use-maker.ts'
import { type ExportOutcome, useMakerExport } from './use-maker-export.ts'

interface DownloadsDeps {
  engine: Engine
  state: EngineState
  beginMessages: ReturnType<typeof useMessages>
  /** Whether the typed speed is invalid. */
  isSpeedInvalid: boolean
  openOutput: () => void
  openVideo: () => void
}

/** Returns the actions of the download buttons, and the function that shows the outcome of an export. */
export function useDownloads({ engine, state, beginMessages, isSpeedInvalid, openOutput, openVideo }: DownloadsDeps) {
  const { phase, sound, loop, rate, runningExport, waitingExports } = state
  const makerExport = useMakerExport(engine)
  const [exportFormat, setFormat] = useState(readChosenFormat)
  const [isLoopOnly, setLoopOnly] = useState(false)
  const isLoopExported = isLoopOnly && sound !== undefined && loop.on && !isWholeLoop(loop, sound.durationS)

  const checkReadyToExport = () => {
    const showMessage = beginMessages()
    if (phase !== 'loaded') showMessage(describeMissingSound(phase), 'bad')
    else if (isSpeedInvalid || rate <= 0) showMessage(INVALID_SPEED_MESSAGE, 'bad')
    else return true
    return false
  }
  /** Returns whether an export can start now or wait for others. */
  const checkCanQueueExport = () => {
    if (!checkReadyToExport()) return false
    const isQueueFull = waitingExports.length >= MAX_WAITING_EXPORTS
    if (isQueueFull) beginMessages()(TOO_MANY_EXPORTS_TEXT, 'bad')
    else if (runningExport) beginMessages()(describeWaitingExport(sound?.name ?? ''), 'good')
    return !isQueueFull
  }
  const reportOutcome = (outcome: ExportOutcome, exportedFormat: ExportFormat | 'video') => {
    if (outcome === undefined) return
    const showMessage = beginMessages()
    if (outcome.kind === 'cancelled') return showMessage(CANCELLED_TEXT, 'good')
    if (outcome.kind !== 'exported') return showMessage(describeExportFailure(outcome), 'bad')
    showMessage(outcome.file ? describeStartedDownload(outcome, exportedFormat) : describeSavedFile(outcome), 'good')
    showMessage(describeLevelChange(outcome), 'good')
  }
  const { saveTo } = makerExport
  const actions: DownloadActions = {
    format: exportFormat,
    setFormat(chosenFormat) {
      setFormat(chosenFormat)
      storeChosenFormat(chosenFormat)
    },
    isLoopOnly: isLoopExported,
    setLoopOnly,
    async download() {
      if (checkCanQueueExport()) reportOutcome(await makerExport.download(exportFormat, isLoopExported), exportFormat)
    },
    ...(saveTo && {
      async saveTo() {
        if (checkCanQueueExport()) reportOutcome(await saveTo(exportFormat, isLoopExported), exportFormat)
      },
    }),
    openOutputDialog() {
      if (phase === 'loaded') openOutput()
      else beginMessages()(describeMissingSound(phase), 'bad')
    },
    openVideoDialog() {
      if (checkReadyToExport()) openVideo()
    },
    cancel: makerExport.cancel,
  }
  return { actions, reportOutcome }
}
