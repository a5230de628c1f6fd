import { useState } from 'react'
import { ActionButton } from './action-bar.tsx'
import { lazyDialog } from './lazy-dialog.tsx'
import { lazyWithRetry } from './lazy-with-retry.tsx'
import type { SleepTimer } from './sleep-label.tsx'

const SLEEP_LABEL = 'Sleep timer'

const SleepTimerDialog = lazyDialog(SLEEP_LABEL, () => import('./sleep-dialog.tsx').then((module) => module.SleepTimerDialog))
const SleepTimerLabel = lazyWithRetry(() => import('./sleep-label.tsx').then((module) => module.SleepTimerLabel), {
  fallback: () => SLEEP_LABEL,
  renderError: () => SLEEP_LABEL,
})

interface SleepActionProps {
  sleep: SleepTimer
  onChoose: (sleep: { minutes: number } | 'end-of-song' | 'off') => void
}

/** The action that opens the sleep timer. Its label is the remaining time once the timer is set. */
export function SleepTimerAction({ sleep, onChoose }: SleepActionProps) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const isTimerSet = sleep.kind !== 'off'
  return (
    <>
      <ActionButton
        icon="moon"
        label={isTimerSet ? <SleepTimerLabel sleep={sleep} /> : SLEEP_LABEL}
        pressed={isTimerSet}
        onClick={() => setDialogOpen(true)}
      />
      <SleepTimerDialog sleep={sleep} onChoose={onChoose} open={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </>
  )
}
