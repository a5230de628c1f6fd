import { createFileRoute } from '@tanstack/react-router'
import { renderLoadProblem } from '../components/load-problem.tsx'
import { PrivacyPage } from '../features/documents/privacy-page.tsx'
import { documentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/privacy')({
  ...documentRoute('privacy'),
  component: () => <PrivacyPage renderProblem={renderLoadProblem} />,
})
