import { useEffect, useRef } from 'react'
import type { ContentDocument } from '../../../contract/content.ts'
import { pages } from '../../../contract/pages.ts'
import { useDocument } from '../../hooks/documents.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import typeStyles from '../../ui/type.module.css'
import { DocumentPage } from './document-page.tsx'
import styles from './faq-page.module.css'

type Question = ContentDocument<'faq'>[number]

interface FaqPageProps {
  /** The anchor of the question to open; empty for none. */
  openId: string
}

/** The questions in sections. Only one question is open at a time. */
export function FaqPage({ openId }: FaqPageProps) {
  const loadedFaq = useDocument('faq')
  return (
    <DocumentPage heading={pages['/faq'].heading} loaded={loadedFaq}>
      {(questions) => (
        <div className={styles.sections}>
          {splitAtSections(questions).map((group, index) => (
            <section key={group[0].id} className={styles.section} aria-labelledby={`section-${index}`}>
              <h2 id={`section-${index}`} className={classNames(typeStyles.head, typeStyles.d2, styles.sectionHeading)}>
                {group[0].section}
              </h2>
              <div>
                {group.map((question) => (
                  <Answer key={question.id} question={question} isRequested={question.id === openId} />
                ))}
              </div>
            </section>
          ))}
          <Button to="/get-in-touch" variant="primary" size="big" className={styles.ask ?? ''}>
            Got more questions? Ask us!
          </Button>
        </div>
      )}
    </DocumentPage>
  )
}

/**
 * Groups the questions into sections. The order of the questions stays: a new section begins wherever the section of a question differs
 * from the previous one.
 */
function splitAtSections(questions: readonly Question[]): [Question, ...Question[]][] {
  const questionGroups: [Question, ...Question[]][] = []
  for (const question of questions) {
    const group = questionGroups.at(-1)
    if (group?.[0].section === question.section) group.push(question)
    else questionGroups.push([question])
  }
  return questionGroups
}

/** Scrolls while the previously open question closes, so that the pressed question does not move in the viewport. */
function keepInPlace(summary: HTMLElement) {
  const closingElement = document.querySelector('details[name="faq"][open]')
  if (closingElement === null || closingElement.contains(summary)) return
  const topPx = summary.getBoundingClientRect().top
  const observer = new ResizeObserver(() => scrollBy({ top: summary.getBoundingClientRect().top - topPx, behavior: 'instant' }))
  observer.observe(closingElement)
  requestAnimationFrame(async () => {
    // Waits for the end of the plus sign's transition, which takes as long as the closing of the answer. Chromium does not list the
    // transition of `::details-content` among the animations.
    await Promise.allSettled(closingElement.getAnimations({ subtree: true }).map(({ finished }) => finished))
    // The observer is disconnected after the browser has laid out the last frame of the transition.
    setTimeout(() => observer.disconnect())
  })
}

const ANSWER_OPENING_MS = 300

/**
 * Animates the opening and closing of a pressed question in browsers that cannot animate a size to `auto`, such as Firefox. In other
 * browsers the style sheet animates it.
 */
function animateOpening(details: HTMLDetailsElement | null) {
  if (details === null || details.open || CSS.supports('interpolate-size', 'allow-keywords')) return
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  // The browser opens the element after the click, before it paints the next frame.
  requestAnimationFrame(() => {
    const answerElement = details.lastElementChild
    if (!details.open || answerElement === null) return
    const heightText = `${answerElement.getBoundingClientRect().height}px`
    answerElement.animate(
      [
        { height: '0', paddingBottom: '0', overflow: 'clip' },
        { height: heightText, overflow: 'clip' },
      ],
      { duration: ANSWER_OPENING_MS, easing: getComputedStyle(answerElement).getPropertyValue('--ease') },
    )
  })
}

function Answer({ question: { id, question, answer }, isRequested }: { question: Question; isRequested: boolean }) {
  const detailsElement = useRef<HTMLDetailsElement>(null)
  // The question in the fragment of the URL is opened after hydration, because the browser does not send the anchor to the server.
  useEffect(() => {
    if (!isRequested || detailsElement.current === null) return
    detailsElement.current.open = true
    detailsElement.current.scrollIntoView()
  }, [isRequested])
  return (
    <details ref={detailsElement} id={id} name="faq" className={styles.question}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button. */}
      <summary
        className={styles.summary}
        onClick={({ currentTarget }) => {
          keepInPlace(currentTarget)
          animateOpening(detailsElement.current)
        }}
      >
        <h3 className={styles.words}>{question}</h3>
        <Icon name="plus" className={styles.sign} />
      </summary>
      <div className={styles.answer}>
        <RichText nodes={answer} />
        <AnchorLink id={id}>Link to this answer</AnchorLink>
      </div>
    </details>
  )
}
