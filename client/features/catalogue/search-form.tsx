import type { FormEvent } from 'react'
import { useNavigateTo } from '../../bindings/navigate-to.ts'
import { searchPath } from '../../bindings/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './search-form.module.css'

/** A form that opens the results page of the text in its field. `text` is the initial text, the one that the page shows the results of. */
export function SearchForm({ text = '' }: { text?: string }) {
  const go = useNavigateTo()
  const submitSearch = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typedText = new FormData(event.currentTarget).get('q')
    if (typeof typedText === 'string' && typedText.trim() !== '') go(searchPath(typedText.trim()))
  }
  return (
    <form action="/search" onSubmit={submitSearch} className={styles.form}>
      <search className={styles.field}>
        <Icon name="search" className={styles.icon} />
        <input
          className={styles.input}
          type="search"
          name="q"
          defaultValue={text}
          aria-label="Search songs and artists"
          placeholder="Songs and artists"
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
        />
      </search>
      <Button type="submit" variant={text === '' ? 'primary' : 'secondary'} size="big">
        Search
      </Button>
    </form>
  )
}
