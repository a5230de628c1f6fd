import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { useNavigateTo } from '../../hooks/navigate-to.ts'
import { searchPath } from '../../hooks/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './search-form.module.css'

/** Renders the list of suggestions for the text of a search box, which it controls while it is rendered. */
export type RenderSuggestions = (input: RefObject<HTMLInputElement | null>, onFollowed: () => void) => ReactNode

interface SearchFormProps {
  /** The initial text, the one that the page shows the results of. */
  text?: string
  renderSuggestions?: RenderSuggestions | undefined
}

/** A form that opens the results page of the text in its field. */
export function SearchForm({ text = '', renderSuggestions }: SearchFormProps) {
  const go = useNavigateTo()
  const input = useRef<HTMLInputElement>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const submitSearch = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typedText = new FormData(event.currentTarget).get('q')
    if (typeof typedText === 'string' && typedText.trim() !== '') go(searchPath(typedText.trim()))
  }
  return (
    <form
      action="/search"
      className={styles.form}
      onSubmit={submitSearch}
      onFocus={() => setHasFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setHasFocus(currentTarget.contains(relatedTarget))}
    >
      <search className={styles.field}>
        <Icon name="search" className={styles.icon} />
        <input
          ref={input}
          className={styles.input}
          type="search"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded="false"
          name="q"
          defaultValue={text}
          aria-label="Search songs and artists"
          placeholder="Songs and artists"
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
        />
        {hasFocus && renderSuggestions?.(input, () => setHasFocus(false))}
      </search>
      <Button type="submit" variant={text === '' ? 'primary' : 'secondary'} size="big">
        Search
      </Button>
    </form>
  )
}
