import type { Station } from '../../../contract/radio.ts'
import { useSite } from '../../hooks/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './station-strip.module.css'
import { useRadio, useRadioState } from './use-radio.ts'

/**
 * The choice of a station, as a group of radio buttons. It looks like the scale of a radio receiver, whose needle points at the chosen
 * station.
 */
export function StationStrip() {
  const radio = useRadio()
  const station = useRadioState((state) => state.station)
  const playsMainStation = useRadioState((state) => state.playsMain)
  const { genre } = useSite().texts
  const stations: { id: Station; name: string; note?: string }[] = [
    { id: 'main', name: genre },
    { id: 'newcomers', name: 'Newcomers', ...(playsMainStation && { note: `No songs yet: it plays ${genre}.` }) },
  ]
  return (
    <section aria-label="Stations" className={styles.strip} data-station={station}>
      <span className={styles.needle} />
      <fieldset className={styles.stations}>
        <legend className={typeStyles.hidden}>Stations</legend>
        {stations.map(({ id, name, note }) => (
          <label key={id} className={styles.station}>
            <input type="radio" name="station" className={styles.input} checked={station === id} onChange={() => radio.setStation(id)} />
            <span className={classNames(typeStyles.head, typeStyles.d1, styles.name)}>{name}</span>
            {note !== undefined && <span className={typeStyles.legend}>{note}</span>}
          </label>
        ))}
      </fieldset>
    </section>
  )
}
