import { createFileRoute } from '@tanstack/react-router'
import { documentRoute } from '../bindings/document-route.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { PrivacyPage } from '../features/documents/privacy-page.tsx'

export const Route = createFileRoute('/privacy')({
  ...documentRoute('privacy'),
  component: () => <PrivacyPage renderProblem={renderLoadProblem} />,
})
