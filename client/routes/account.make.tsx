import { createFileRoute } from '@tanstack/react-router'
import { pages } from '../../contract/pages.ts'
import { pageHead } from '../bindings/page-title.ts'
import { AccountPage } from '../features/account/account-layout.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'

export const Route = createFileRoute('/account/make')({
  head: pageHead,
  component: () => (
    <AccountPage title={pages['/account/make'].heading}>
      {() => (
        <EmptyState
          title="Not open yet"
          text="The maker changes songs on your own device, and uploads nothing."
          action={
            <Button to="/account/maker" variant="primary">
              Open the maker
            </Button>
          }
        />
      )}
    </AccountPage>
  ),
})
