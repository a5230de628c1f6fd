import { useEffect } from 'react'
import { LockedPanel, SubscriberGate } from '../../components/subscriber-gate.tsx'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { classNames } from '../../ui/class-names.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './maker-page.module.css'
import { SamplePlayer } from './sample.tsx'
import { useMaker } from './use-maker.ts'
import { useMakerPrecaching } from './use-maker-precaching.ts'
import { WaveformPlaceholder } from './waveform-placeholder.tsx'

const Editor = lazyWithRetry(() => import('./editor.tsx').then((module) => module.Editor), { fallback: () => <MakerPlaceholder /> })

/** The page of the maker. It shows the heading first, and the editor when the account is known and the engine is loaded. */
export function MakerPage() {
  const person = useSignedInAccount()
  return (
    <div className={styles.page}>
      <h1 className={classNames(typeStyles.display, typeStyles.d2)}>Maker</h1>
      {person ? (
        <SubscriberGate key={person.uid} locked={<LockedMakerPage />} loading={<MakerPlaceholder />} reassurance="your song is still here">
          <EngineLoader />
        </SubscriberGate>
      ) : (
        <MakerPlaceholder />
      )}
    </div>
  )
}

/** The page for people without a subscription: how to get one, and what the maker does. */
const LockedMakerPage = () => (
  <div className={styles.locked}>
    <LockedPanel tool="maker" />
    <SamplePlayer />
  </div>
)

/** The placeholder that is shown until the account and its entitlement are known and the engine is loaded. */
const MakerPlaceholder = () => (
  <div className={styles.bleed}>
    <WaveformPlaceholder />
  </div>
)

function EngineLoader() {
  useMakerPrecaching()
  const maker = useMaker()
  // The editor is loaded beside the engine. A failure is shown when the editor is rendered.
  useEffect(() => void Editor.preload().catch(() => {}), [])
  if (maker.state === 'open') return <Editor engine={maker.engine} />
  if (maker.state === 'failed')
    return <ErrorState title="The maker could not be started." text="Part of it didn't load." onRetry={maker.retry} />
  return <MakerPlaceholder />
}
