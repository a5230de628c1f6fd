import { createFileRoute } from '@tanstack/react-router'
import { type FormTopic, formTopics, parseFormTopic } from '../../contract/contact-rules.ts'
import { ContactPage } from '../features/contact/contact-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/get-in-touch')({
  // The chunk of the page parses the topic, so that the initial chunk does not contain the list of topics.
  validateSearch: ({ topic }): { topic?: string } => (typeof topic === 'string' ? { topic } : {}),
  head: createHeadForPage,
  component: GetInTouch,
})

function GetInTouch() {
  const formTopic = parseFormTopic(Route.useSearch().topic)
  const navigate = Route.useNavigate()
  const selectTopic = (value: FormTopic) => {
    void navigate({ search: value === formTopics[0] ? {} : { topic: value }, replace: true, resetScroll: false })
  }
  return <ContactPage topic={formTopic} onTopic={selectTopic} />
}
