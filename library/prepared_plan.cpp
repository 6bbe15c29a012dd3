#include "library/prepared_plan.h"

#include "library/status.h"

namespace bankside::library {

PreparedPlan::PreparedPlan(const PlanRequest& request, const FilterBank& bank) : request_(request) {
  const BankPass pass({bank, request.combine}, request.border, false, {}, {});
  for (PlaneName& name : pass.names(request.channels)) {
    // Each value of an ArgMax is followed by its index.
    const bool index = hasIndices() && !planes_.empty() && planes_.back().channel == name.channel;
    if (!index) planes_.push_back(std::move(name));
  }
}

std::string PreparedPlan::engineNames() const {
  std::string names;
  for (const Part& part : parts()) {
    const std::string& name = part.info.path.empty() ? part.engine : part.info.path;
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : "+") + name;
  }
  return names;
}

std::string PreparedPlan::choice() const {
  std::vector<PlanInfo> plans;
  for (Part& part : parts()) plans.push_back(std::move(part.info));
  return toString(plans);
}

void PreparedPlan::checkViews(const bk_view& image, const bk_view& results, const bk_view* indices) const {
  const PlanRequest& r = request_;
  const int planes = static_cast<int>(planes_.size());
  const AddressRange from = checkView(image, {"the image", r.type, r.channels, r.height, r.width}, false);
  const AddressRange to =
      checkView(results, {"the view of results", r.resultType, planes, r.height, r.width}, true);
  requireApart(from, "the image", to, "the results");
  if (hasIndices() != (indices != nullptr)) {
    refuse(hasIndices() ? "argmax has indices beside its values; their view is NULL"
                        : "there is a view of indices, which argmax alone has");
  }
  if (indices == nullptr) return;
  const AddressRange places =
      checkView(*indices, {"the view of indices", ElementType::U16, planes, r.height, r.width}, true);
  requireApart(from, "the image", places, "the indices");
  requireApart(to, "the results", places, "the indices");
}

}  // namespace bankside::library
