import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { builtInPresets, originalPreset, type Preset } from './presets.ts'
import styles from './sample.module.css'
import { useExclusivePlayback } from './use-exclusive-playback.ts'
import type { Engine } from './use-maker.ts'
import { useMakerSample } from './use-maker-sample.ts'

/** Plays a built-in sample with the presets, for people who cannot use the maker yet. It is loaded when a preset is first pressed. */
export function SamplePlayer() {
  const makerSample = useMakerSample()
  const [chosenPreset, setChosen] = useState<Preset>()
  const isPlayingPreset = (preset: Preset) => preset === chosenPreset && makerSample.isPlaying
  return (
    <section aria-labelledby="sample-heading">
      <SectionHeading id="sample-heading" size="small">
        Hear what it does
      </SectionHeading>
      <p className={typeStyles.muted}>Hear our sample loop through the maker, right here.</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend. */}
      <div className={styles.presets} role="group" aria-label="Presets">
        {[originalPreset, ...builtInPresets].map((preset) => (
          <Button
            key={preset.name}
            size="big"
            pressed={isPlayingPreset(preset)}
            busy={makerSample.status === 'opening' && preset === chosenPreset}
            onClick={() => {
              setChosen(preset)
              if (isPlayingPreset(preset)) makerSample.pause()
              else void makerSample.play(preset.settings)
            }}
          >
            {preset.name} <span className={typeStyles.legend}>{preset.settings.speed.toFixed(2)}×</span>
          </Button>
        ))}
      </div>
      {makerSample.status === 'failed' && <Notice kind="bad">The sample could not be played. Please try again.</Notice>}
      {makerSample.engine && <ExclusivePlayback engine={makerSample.engine} />}
    </section>
  )
}

/**
 * A component of its own, because `useExclusivePlayback` needs the engine, which exists only once the sample is loaded. It renders nothing.
 */
function ExclusivePlayback({ engine }: { engine: Engine }) {
  useExclusivePlayback(engine)
  return null
}
