import { useId } from 'react'
import type { PlaylistSort, SongSort } from '../../contract/sort-orders.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './sort-select.module.css'

interface SortSelectProps<T extends string> {
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

export function SortSelect<T extends string>({ value, options, onChange }: SortSelectProps<T>) {
  const id = useId()
  return (
    <div className={styles.sort}>
      <label htmlFor={id} className={styles.label}>
        Sort
      </label>
      <span className={styles.field}>
        <select
          id={id}
          className={styles.select}
          value={value}
          onChange={(event) => {
            const chosenOption = options.find((option) => option.value === event.target.value)
            if (chosenOption) onChange(chosenOption.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size="s" className={styles.mark} />
      </span>
    </div>
  )
}

/** The sort orders of songs, as options of a select element. */
export const searchSortOptions = [
  { value: 'az', label: 'A-Z' },
  { value: 'za', label: 'Z-A' },
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
] as const satisfies readonly { value: SongSort; label: string }[]

/** The sort orders of playlists, as options of a select element. */
export const playlistSortOptions = [
  { value: 'popular', label: 'Popular' },
  { value: 'az', label: 'A-Z' },
  { value: 'za', label: 'Z-A' },
] as const satisfies readonly { value: PlaylistSort; label: string }[]
